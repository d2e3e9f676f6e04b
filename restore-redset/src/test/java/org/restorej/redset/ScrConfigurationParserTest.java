package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScrConfigurationParserTest {
    @Test
    void readsSeveralDescriptorsAndChoosesByTheLargestInterval() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                # three levels
                SCR_COPY_TYPE=FILE
                SCR_HALT_SECONDS=3600 # SCR's own
                GROUPS=host1  POWER=psu1  SWITCH=0
                GROUPS=host2  POWER=psu1  SWITCH=1

                STORE=/ssd GROUP=NODE COUNT=3
                CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR     SET_SIZE=16
                CKPT=1 INTERVAL=4 GROUP=NODE   STORE=/ssd TYPE=RS      SET_SIZE=8 CHECKSUMS=3 OUTPUT=1
                CKPT=2 INTERVAL=8 GROUP=SWITCH STORE=/ssd TYPE=PARTNER BYPASS=1
                """);
        RedundancyDescriptor xor = new RedundancyDescriptor(1, "NODE", Path.of("/tmp"), Scheme.xor(), 16);
        RedundancyDescriptor rs = new RedundancyDescriptor(4, "NODE", Path.of("/ssd"), Scheme.rs(3), 8);
        RedundancyDescriptor partner = new RedundancyDescriptor(8, "SWITCH", Path.of("/ssd"), Scheme.partner(1), 8);
        assertEquals(List.of(xor, rs, partner), configuration.descriptors());
        assertEquals(xor, configuration.forCheckpoint(7));
        assertEquals(rs, configuration.forCheckpoint(12));
        assertEquals(partner, configuration.forCheckpoint(16));
        assertEquals(3, configuration.keepCount(Path.of("/ssd")));
        assertEquals(1, configuration.keepCount(Path.of("/tmp")));
        assertEquals(Optional.of("1"), configuration.failureGroup("SWITCH", "host2"));
        assertEquals(Optional.of("host2"), configuration.failureGroup("NODE", "host2"));
        assertEquals(Optional.empty(), configuration.failureGroup("SWITCH", "host9"));
    }

    @Test
    void makesOneDescriptorOfParametersUnlessTheCopyTypeIsFile() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                SCR_COPY_TYPE=RS
                SCR_SET_FAILURES=3
                SCR_SET_SIZE=6
                SCR_CACHE_BASE=/ssd
                CKPT=0 TYPE=SINGLE
                """);
        assertEquals(List.of(new RedundancyDescriptor(1, "NODE", Path.of("/ssd"), Scheme.rs(3), 6)),
                configuration.descriptors());
        assertEquals(List.of(new RedundancyDescriptor(1, "NODE", Path.of("/tmp"), Scheme.xor(), 8)),
                ScrConfigurationParser.parse("").descriptors());
    }

    @Test
    void reportsEveryErrorByLine() {
        ConfigurationException errors = assertThrows(ConfigurationException.class,
                () -> ScrConfigurationParser.parse("""
                        SCR_COPY_TYPE=FILE
                        CKPT=1 INTERVAL=0 TYPE=XOR
                        CKPT=1 INTERVAL=2 TYPE=RAID6
                        hello
                        CKPT=2 INTERVAL=3 GROUP=RACK COLOUR=red
                        CKPT=3 TYPE=RS SET_SIZE=2
                        CKPT=4 TYPE=RS SET_SIZE=x SET_FAILURES=200
                        DISK=/tmp
                        CKPT=5 INTERVAL=9 INTERVAL=9
                        CKPT=5 TYPE=PARTNER
                        CKPT=6 TYPE=XOR
                        SCR_CACHE_SIZE=0
                        """));
        assertEquals("""
                line 2: CKPT must be numbered from 0 on, 0 here: 1
                line 2: INTERVAL must be a number in [1, 9223372036854775807]: 0
                line 3: TYPE must be SINGLE, PARTNER, XOR or RS: RAID6
                line 4: must be a list of KEY=VALUE: hello
                line 5: has an unknown key: COLOUR
                line 5: GROUP must be NODE, WORLD or one defined by GROUPS lines: RACK
                line 6: setSize must be at least 3 for RS with 2 checksums: setSize=2
                line 7: SET_SIZE must be a number in [1, 2147483647]: x
                line 7: checksums must be in [1, 127]: checksums=200
                line 8: must begin with CKPT, STORE or GROUPS, or be one SCR_ parameter: DISK
                line 9: a key is there twice: INTERVAL=9
                line 11: INTERVAL is that of line 10 too: 1
                line 12: SCR_CACHE_SIZE must be a number in [1, 2147483647]: 0""".lines().toList(),
                errors.problems().stream().map(Object::toString).toList());
    }

    @Test
    void demandsADescriptorForEveryCheckpoint() {
        ConfigurationException error = assertThrows(ConfigurationException.class,
                () -> ScrConfigurationParser.parse("SCR_COPY_TYPE=FILE\nCKPT=0 INTERVAL=2"));
        assertEquals("one CKPT line must have INTERVAL=1: intervals [2]", error.getMessage());
    }

    @Test
    void passesOverDisabledDescriptors() throws ConfigurationException {
        assertEquals(1, ScrConfigurationParser
                .parse("SCR_COPY_TYPE=FILE\r\nCKPT=0 ENABLED=0 TYPE=NONE\r\nCKPT=1 INTERVAL=1\r\n").descriptors()
                .size());
    }
}

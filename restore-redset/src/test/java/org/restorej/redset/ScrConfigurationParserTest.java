package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.internal.host.HostName;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;

class ScrConfigurationParserTest {
    /** What SCR's documentation of configurations has. */
    private static final String EXAMPLE = """
            # instruct SCR to use the CKPT descriptors from the config file
            SCR_COPY_TYPE=FILE

            CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR     SET_SIZE=16
            CKPT=1 INTERVAL=4 GROUP=NODE   STORE=/ssd TYPE=XOR     SET_SIZE=8  OUTPUT=1
            CKPT=2 INTERVAL=8 GROUP=SWITCH STORE=/ssd TYPE=PARTNER             BYPASS=1

            CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR     SET_SIZE=16
            STORE=/tmp GROUP=NODE COUNT=1
            STORE=/ssd GROUP=NODE COUNT=3
            """;

    private static final Map<String, String> SLURM = Map.of("SLURM_TOPOLOGY_ADDR", "root.cell1.leaf7.node3.cluster",
            "SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.switch.node");

    @Test
    void readsSeveralDescriptorsAndChoosesByTheLargestInterval() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                # three levels
                SCR_COPY_TYPE=FILE
                SCR_HALT_SECONDS=3600 # SCR's own
                GROUPS=host1  POWER=psu1  SWITCH=0
                GROUPS=host2  POWER=psu1  SWITCH=1

                STORE=/ssd GROUP=NODE COUNT=3
                STORE=/tmp
                CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR     SET_SIZE=16
                CKPT=1 INTERVAL=4 GROUP=NODE   STORE=/ssd TYPE=RS      SET_SIZE=8 SET_FAILURES=3 OUTPUT=1
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
        assertEquals(List.of(new RedundancyDescriptor(1, "NODE", Path.of("/dev/shm"), Scheme.xor(), 8)),
                ScrConfigurationParser.parse("").descriptors());
    }

    @Test
    void reportsEveryErrorByLine() {
        ConfigurationException errors = assertThrows(ConfigurationException.class,
                () -> ScrConfigurationParser.parse("""
                        SCR_COPY_TYPE=FILE
                        CKPT=0 INTERVAL=0 TYPE=XOR
                        CKPT=1 INTERVAL=2 TYPE=RAID6
                        hello
                        CKPT=2 INTERVAL=3 GROUP=RACK COLOUR=red
                        CKPT=3 TYPE=RS SET_SIZE=2
                        CKPT=4 TYPE=RS SET_SIZE=x SET_FAILURES=200
                        DISK=/tmp
                        CKPT=5 INTERVAL=9 INTERVAL=9
                        CKPT=5 TYPE=PARTNER
                        CKPT=5 TYPE=XOR
                        SCR_CACHE_SIZE=0
                        SCR_X=a=b
                        CKPT=6 STORE=/tmp/$NOBODY_HAS_IT
                        CKPT=7 STORE=/tmp/$5
                        """, Map.of()));
        assertEquals(
                """
                        line 2: INTERVAL must be a number in [1, 9223372036854775807]: 0
                        line 3: TYPE must be SINGLE, PARTNER, XOR or RS: RAID6
                        line 4: must be a list of KEY=VALUE: hello
                        line 5: has an unknown key: COLOUR
                        line 5: GROUP must be NODE, WORLD, or have labels, from a line GROUPS=<host> RACK=<label> for each host, \
                        RESTOREJ_GROUP_RACK in the environment, or a rack in SLURM_TOPOLOGY_ADDR_PATTERN there, which is absent: RACK
                        line 6: setSize must be at least 3 for RS with 2 checksums: setSize=2
                        line 7: SET_SIZE must be a number in [1, 2147483647]: x
                        line 7: checksums must be in [1, 127]: checksums=200
                        line 8: must begin with CKPT, STORE, GROUPS, CNTLDIR or CACHEDIR, or be one SCR_ parameter: DISK
                        line 9: a key is there twice: INTERVAL=9
                        line 11: CKPT=5 must have one TYPE, and has another in line 10: XOR
                        line 12: SCR_CACHE_SIZE must be a number in [1, 2147483647]: 0
                        line 13: must be a list of KEY=VALUE: SCR_X=a=b
                        line 14: $ must stand before the name, of letters and _, of a variable of the environment: \
                        /tmp/$NOBODY_HAS_IT; there is no NOBODY_HAS_IT
                        line 15: $ must stand before the name, of letters and _, of a variable of the environment: \
                        /tmp/$5"""
                        .lines().toList(),
                errors.problems().stream().map(Object::toString).toList());
    }

    @Test
    void demandsADescriptorForEveryCheckpoint() {
        ConfigurationException error = assertThrows(ConfigurationException.class,
                () -> ScrConfigurationParser.parse("SCR_COPY_TYPE=FILE\nCKPT=0 INTERVAL=2"));
        assertEquals("one descriptor must have INTERVAL=1: intervals [2]", error.getMessage());
    }

    @Test
    void dropsAByteOrderMark() throws ConfigurationException {
        assertEquals(Scheme.single(), ScrConfigurationParser.parse("\uFEFFSCR_COPY_TYPE=SINGLE\n").descriptors()
                .getFirst().scheme());
    }

    @Test
    void passesOverDisabledDescriptors() throws ConfigurationException {
        assertEquals(1, ScrConfigurationParser
                .parse("SCR_COPY_TYPE=FILE\r\nCKPT=0 ENABLED=0 TYPE=NONE\r\nCKPT=1 INTERVAL=1\r\n").descriptors()
                .size());
    }

    @Test
    void takesTheSwitchNearestToTheNodeFromSlurm() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse(EXAMPLE, SLURM);
        assertEquals("SWITCH", configuration.forCheckpoint(16).group());
        assertEquals(Optional.of("leaf7"), configuration.failureGroup("SWITCH", HostName.orLocalhost()));
        assertEquals(Optional.empty(), configuration.failureGroup("SWITCH", "elsewhere"));
    }

    @Test
    void takesALabelFromOurOwnVariableBeforeSlurm() throws ConfigurationException {
        Map<String, String> environment = new HashMap<>(SLURM);
        environment.put("RESTOREJ_GROUP_SWITCH", "b");
        assertEquals(Optional.of("b"),
                ScrConfigurationParser.parse(EXAMPLE, environment).failureGroup("SWITCH", HostName.orLocalhost()));
    }

    @Test
    void asksNoEnvironmentForWhatLinesDefine() throws ConfigurationException {
        String host = HostName.orLocalhost();
        RedundancyConfiguration here = ScrConfigurationParser.parse("GROUPS=" + host + " SWITCH=0\n" + EXAMPLE, SLURM);
        assertEquals(Optional.of("0"), here.failureGroup("SWITCH", host));
        RedundancyConfiguration there = ScrConfigurationParser.parse("GROUPS=other SWITCH=0\n" + EXAMPLE, SLURM);
        assertEquals(Optional.empty(), there.failureGroup("SWITCH", host), "labels of two origins are not comparable");
        RedundancyConfiguration power = ScrConfigurationParser.parse("GROUPS=" + host + " POWER=1\n" + EXAMPLE, SLURM);
        assertEquals(Optional.of("1"), power.failureGroup("POWER", host));
        assertEquals(Optional.of("leaf7"), power.failureGroup("SWITCH", host));
    }

    @ParameterizedTest
    @CsvSource({"node,tc1", "switch.switch.node,leaf.node", "switch.node,.tc1"})
    void saysWhatIsMissingWhereNothingNamesSwitches(String pattern, String address) {
        ConfigurationException error = assertThrows(ConfigurationException.class,
                () -> ScrConfigurationParser.parse(EXAMPLE, Map.of("SLURM_TOPOLOGY_ADDR", address,
                        "SLURM_TOPOLOGY_ADDR_PATTERN", pattern)));
        assertEquals("line 6: GROUP must be NODE, WORLD, or have labels, from a line GROUPS=<host> SWITCH=<label> for "
                + "each host, RESTOREJ_GROUP_SWITCH in the environment, or a switch in SLURM_TOPOLOGY_ADDR_PATTERN "
                + "there, which is " + pattern + ": SWITCH", error.getMessage());
    }

    @Test
    void takesTypesInAnyCase() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                SCR_COPY_TYPE=file
                CKPT=0 TYPE=xor
                CKPT=1 INTERVAL=2 TYPE=Partner
                CKPT=2 INTERVAL=4 TYPE=rs
                CKPT=3 INTERVAL=8 TYPE=single
                """);
        assertEquals(List.of(Scheme.xor(), Scheme.partner(1), Scheme.rs(2), Scheme.single()),
                configuration.descriptors().stream().map(RedundancyDescriptor::scheme).toList());
        assertEquals(Scheme.partner(1),
                ScrConfigurationParser.parse("SCR_COPY_TYPE=partner").forCheckpoint(1).scheme());
    }

    @Test
    void hasTheDefaultsOfScrForWhatALineLeavesOut() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                SCR_COPY_TYPE=FILE
                SCR_CACHE_BASE=/ssd
                SCR_SET_SIZE=6
                SCR_GROUP=WORLD
                SCR_SET_FAILURES=3
                CKPT=0
                CKPT=1 INTERVAL=2 TYPE=RS
                CKPT=2 INTERVAL=4 TYPE=RS SET_FAILURES=1
                """);
        assertEquals(List.of(new RedundancyDescriptor(1, "WORLD", Path.of("/ssd"), Scheme.xor(), 6),
                new RedundancyDescriptor(2, "WORLD", Path.of("/ssd"), Scheme.rs(3), 6),
                new RedundancyDescriptor(4, "WORLD", Path.of("/ssd"), Scheme.xor(), 6)), configuration.descriptors());
    }

    @Test
    void reportsKeysThatScrDoesNotHave() {
        assertEquals("line 2: has an unknown key: CHECKSUMS",
                error(Map.of(), "SCR_COPY_TYPE=FILE", "CKPT=0 TYPE=RS CHECKSUMS=1"));
    }

    private static Scheme scheme(Map<String, String> environment, String... lines) throws ConfigurationException {
        return ScrConfigurationParser.parse(String.join("\n", lines), environment).forCheckpoint(1).scheme();
    }

    private static String error(Map<String, String> environment, String... lines) {
        return String
                .valueOf(assertThrows(ConfigurationException.class, () -> scheme(environment, lines)).getMessage());
    }

    @Test
    void takesParametersFromTheEnvironmentFirst() throws ConfigurationException {
        Map<String, String> environment = Map.of("SCR_COPY_TYPE", "RS", "SCR_SET_FAILURES", "3", "SCR_SET_SIZE", "9",
                "SCR_CACHE_BASE", "/ssd", "SCR_GROUP", "WORLD", "SCR_CACHE_SIZE", "5", "STORE", "/other");
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                SCR_COPY_TYPE=XOR
                SCR_SET_FAILURES=2
                SCR_SET_SIZE=6
                SCR_CACHE_BASE=/tmp
                SCR_GROUP=NODE
                SCR_CACHE_SIZE=1
                """, environment);
        assertEquals(List.of(new RedundancyDescriptor(1, "WORLD", Path.of("/ssd"), Scheme.rs(3), 9)),
                configuration.descriptors());
        assertEquals(5, configuration.keepCount(Path.of("/ssd")));
        assertEquals(Scheme.xor(), scheme(Map.of("SCR_COPY_TYPE", ""), "SCR_COPY_TYPE=XOR"), "empty");
        assertEquals("the environment's SCR_SET_SIZE must be a number in [1, 2147483647]: many",
                error(Map.of("SCR_SET_SIZE", "many")));
    }

    @Test
    void expandsVariablesInValues() throws ConfigurationException {
        Map<String, String> environment = Map.of("SLURM_JOBID", "17", "USER", "a b");
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                SCR_CACHE_BASE=/tmp/$USER/$SLURM_JOBID.x/c\\$d
                """, environment);
        assertEquals(Path.of("/tmp/a b/17.x/c$d"), configuration.forCheckpoint(1).store());
    }

    @Test
    void takesSpacesLowerCaseAndAnyNumbersOfCheckpoints() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                scr_copy_type = FILE
                store=/ssd
                groups=host1 switch=7
                CKPT=5 interval = 4 STORE=/ssd TYPE =PARTNER GROUP= SWITCH
                Ckpt=1 STORE=/ssd
                Ckpt=1 TYPE=SINGLE
                """, Map.of());
        assertEquals(Scheme.single(), configuration.forCheckpoint(1).scheme());
        assertEquals(Scheme.partner(1), configuration.forCheckpoint(4).scheme());
        assertEquals(Optional.of("7"), configuration.failureGroup("SWITCH", "host1"));
    }

    @Test
    void takesTheFirstOfTwoWithTheSameInterval() throws ConfigurationException {
        assertEquals(Scheme.partner(1), scheme(Map.of(), "SCR_COPY_TYPE=FILE", "CKPT=1 TYPE=SINGLE",
                "CKPT=0 TYPE=PARTNER", "CKPT=2 TYPE=XOR"));
    }

    @Test
    void countsNoDescriptorWhoseStoreIsDisabledOrUndeclared() throws ConfigurationException {
        for (String store : List.of("STORE=/ssd ENABLED=0", "STORE=/other")) {
            assertEquals(Scheme.single(), scheme(Map.of(), "SCR_COPY_TYPE=FILE", store, "STORE=/tmp",
                    "CKPT=0 STORE=/ssd TYPE=XOR", "CKPT=1 STORE=/tmp/../tmp TYPE=SINGLE"), store);
        }
        assertEquals("one descriptor must have INTERVAL=1: intervals []; CKPT=0 doesn't count: line 3: line 2 disables "
                + "its store /ssd",
                error(Map.of(), "SCR_COPY_TYPE=FILE", "STORE=/ssd ENABLED=0", "CKPT=0 STORE=/ssd"));
        assertEquals("one descriptor must have INTERVAL=1: intervals []; CKPT=0 doesn't count: line 2: no STORE line "
                + "declares its store /ssd", error(Map.of(), "SCR_COPY_TYPE=FILE", "CKPT=0 STORE=/ssd"));
        String undeclared = "SCR_CACHE_BASE must be a store that can be used, but no STORE line declares its store ";
        assertEquals("line 2: " + undeclared + "/ssd: /ssd",
                error(Map.of(), "STORE=/tmp", "SCR_CACHE_BASE=/ssd"));
        assertEquals(undeclared + "/dev/shm: /dev/shm", error(Map.of(), "STORE=/tmp"));
        assertEquals("the environment's " + undeclared + "/ssd: /ssd",
                error(Map.of("SCR_CACHE_BASE", "/ssd"), "STORE=/tmp"));
        assertEquals(List.of("line 2: " + undeclared + "/ssd: /ssd",
                "line 3: SCR_CACHE_SIZE must be a number in [1, 2147483647]: 0"),
                error(Map.of(), "STORE=/tmp", "SCR_CACHE_BASE=/ssd", "SCR_CACHE_SIZE=0").lines().toList());
        assertEquals(Scheme.xor(), scheme(Map.of(), "SCR_COPY_TYPE=FILE", "SCR_CACHE_BASE=/ssd", "CKPT=0 STORE=/ssd"),
                "without STORE lines SCR_CACHE_BASE is one");
    }

    @Test
    void readsTheTemplateOfScr() throws ConfigurationException {
        RedundancyConfiguration configuration = ScrConfigurationParser.parse("""
                CNTLDIR=/tmp BYTES=1000000000
                SCR_CNTL_BASE=/tmp
                CACHEDIR=/tmp BYTES=12GB
                CACHEDIR=/ssd BYTES=270GB
                SCR_CACHE_BASE=/tmp
                SCR_DB_ENABLE=0
                SCR_DB_HOST=host45
                SCR_DB_USER=scr_insert
                SCR_DB_PASS=12345
                SCR_DB_NAME=scr
                STORE=/tmp GROUP=NODE COUNT=2
                """, Map.of());
        assertEquals(List.of(new RedundancyDescriptor(1, "NODE", Path.of("/tmp"), Scheme.xor(), 8)),
                configuration.descriptors());
        assertEquals(2, configuration.keepCount(Path.of("/tmp")));
    }

    @Test
    void makesXorOfReedSolomonWithOneChecksum() throws ConfigurationException {
        assertEquals(Scheme.xor(), scheme(Map.of(), "SCR_COPY_TYPE=RS", "SCR_SET_FAILURES=1"));
        assertEquals(Scheme.xor(), scheme(Map.of(), "SCR_COPY_TYPE=FILE", "CKPT=0 TYPE=rs SET_FAILURES=1 SET_SIZE=2"));
    }
}

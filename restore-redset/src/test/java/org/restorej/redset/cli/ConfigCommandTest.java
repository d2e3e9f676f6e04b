package org.restorej.redset.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.ProgramRun;

class ConfigCommandTest {
    @TempDir
    Path folder;

    private ProgramRun run(String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("scr.conf"), text);
        return ProgramRun.redset(Stream.concat(Stream.of("config", file), Stream.of(options)).toArray());
    }

    private static final String THREE_LEVELS = """
            SCR_COPY_TYPE=FILE
            SCR_SET_SIZE=6
            STORE=/ssd COUNT=3
            GROUPS=host1 SWITCH=0
            GROUPS=host2 SWITCH=1
            CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=xor SET_SIZE=16
            CKPT=1 INTERVAL=4 GROUP=NODE   STORE=/ssd
            CKPT=2 INTERVAL=8 GROUP=SWITCH STORE=/ssd TYPE=PARTNER SET_FAILURES=2
            CKPT=3 INTERVAL=3 TYPE=SINGLE STORE=/tmp
            STORE=/tmp
            """;

    @Test
    void saysWhatAppliesAndWhy() throws IOException {
        assertEquals("""
                checkpoint 16
                  descriptor      CKPT=2                   line 8
                  interval        8                        the largest of those that divide 16: [1, 4, 8], not [3]
                  scheme          PARTNER with 2 replicas  TYPE in line 8, SET_FAILURES in line 8
                  set size        6                        SCR_SET_SIZE in line 2
                  store           /ssd                     STORE in line 8
                  group           SWITCH                   GROUP in line 8
                  label of host2  1                        line GROUPS=host2
                  kept            3                        COUNT in line 3
                """, run(THREE_LEVELS, "--checkpoint", "16", "--host", "host2").assertExit(RedsetCommand.WHOLE).text());
        assertEquals("""
                checkpoint 7
                  descriptor      CKPT=0  line 6
                  interval        1       the largest of those that divide 7: [1], not [3, 4, 8]
                  scheme          XOR     TYPE in line 6
                  set size        16      SET_SIZE in line 6
                  store           /tmp    STORE in line 6
                  group           NODE    GROUP in line 6
                  label of host2  host2   the host itself
                  kept            1       by default
                """, run(THREE_LEVELS, "--checkpoint", "7", "--host", "host2").assertExit(RedsetCommand.WHOLE).text());
        run(THREE_LEVELS, "--checkpoint", "4", "--host", "host9").assertExit(RedsetCommand.WHOLE)
                .assertSays("scheme          XOR     by default");
        run(THREE_LEVELS, "--checkpoint", "8", "--host", "host9").assertExit(RedsetCommand.WHOLE)
                .assertSays("none                     no line GROUPS=host9 has SWITCH");
    }

    @Test
    void explainsParametersWhereLinesDoNotCount() throws IOException {
        run("SCR_COPY_TYPE=rs\nCKPT=0 TYPE=XOR\n", "--checkpoint", "1").assertExit(RedsetCommand.WHOLE)
                .assertSays("SCR_COPY_TYPE is not FILE, so CKPT lines don't count", "SCR_COPY_TYPE in line 1");
    }

    @Test
    void saysWhichDescriptorsDoNotCountAndWhy() throws IOException {
        assertEquals("""
                checkpoint 4
                  descriptor      CKPT=0  line 4
                  interval        1       the largest of those that divide 4: [1]
                  scheme          XOR     TYPE in line 4, SET_FAILURES in line 4: RS with one checksum is XOR
                  set size        8       by default
                  store           /tmp    STORE in line 4
                  group           NODE    by default
                  label of host2  host2   the host itself
                  kept            1       by default
                  passed over     CKPT=1  line 5: line 3 disables its store /ssd
                  passed over     CKPT=2  line 6: no STORE line declares its store /nvme
                  passed over     CKPT=3  line 7: INTERVAL=1 is that of CKPT=0, too
                  passed over     CKPT=4  line 8: ENABLED=0
                """, run("""
                SCR_COPY_TYPE=FILE
                STORE=/tmp
                STORE=/ssd ENABLED=0
                CKPT=0 TYPE=RS SET_FAILURES=1 STORE=/tmp
                CKPT=1 INTERVAL=2 STORE=/ssd
                CKPT=2 INTERVAL=4 STORE=/nvme
                CKPT=3 TYPE=SINGLE STORE=/tmp
                CKPT=4 INTERVAL=2 ENABLED=0
                """, "--checkpoint", "4", "--host", "host2").assertExit(RedsetCommand.WHOLE).text());
    }

    @Test
    void explainsWhatTheEnvironmentOfTheProcessSays() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("scr.conf"), "SCR_CACHE_BASE=/tmp/$JOB\nSCR_COPY_TYPE=XOR\n");
        ProgramRun.inOwnJvm(ProgramRun.RedsetProgram.class,
                process -> process.environment().putAll(Map.of("SCR_COPY_TYPE", "SINGLE", "JOB", "j17")), "config",
                file,
                "--checkpoint", "1").assertExit(RedsetCommand.WHOLE)
                .assertSays("SINGLE", "SCR_COPY_TYPE in the environment", "/tmp/j17");
    }

    @Test
    void namesAFileThatIsNoText() throws IOException {
        Path file = Files.write(folder.resolve("scr.conf"), new byte[]{'S', (byte) 0xe4, '\n'});
        ProgramRun.redset("config", file, "--checkpoint", "1").assertExit(RedsetCommand.USAGE)
                .assertSays("FILE must be text in UTF-8: " + file);
    }

    @Test
    void explainsTheNumberOfFailuresOnlyWhereItCounts() throws IOException {
        run("SCR_COPY_TYPE=XOR\nSCR_SET_FAILURES=3\n", "--checkpoint", "1").assertExit(RedsetCommand.WHOLE)
                .assertSaysNot("SCR_SET_FAILURES");
        run("SCR_COPY_TYPE=rs\nSCR_SET_FAILURES=3\n", "--checkpoint", "1").assertExit(RedsetCommand.WHOLE)
                .assertSays("SCR_SET_FAILURES in line 2");
        for (String type : new String[]{"XOR", "SINGLE", "PARTNER"}) {
            run("SCR_COPY_TYPE=" + type + "\nSCR_SET_FAILURES=many\n", "--checkpoint", "1")
                    .assertExit(RedsetCommand.USAGE, type)
                    .assertSays("line 2: SET_FAILURES must be a number in [1, 2147483647]: many");
        }
    }

    @Test
    void saysThatTheEnvironmentOfAnotherHostIsUnknown() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("scr.conf"), "SCR_COPY_TYPE=XOR\nSCR_GROUP=SWITCH\n");
        for (boolean other : new boolean[]{false, true}) {
            List<Object> command = new ArrayList<>(List.of("config", file, "--checkpoint", "1"));
            command.addAll(other ? List.of("--host", "no.such.host") : List.of());
            String said = ProgramRun.inOwnJvm(ProgramRun.RedsetProgram.class,
                    process -> process.environment().put("RESTOREJ_GROUP_SWITCH", "s17"), command.toArray())
                    .assertExit(RedsetCommand.WHOLE).text();
            String label = said.lines().filter(line -> line.startsWith("  label of")).findFirst().orElse("");
            assertTrue(label.matches(other
                    ? "  label of no.such.host +unknown +the environment of processes of no.such.host says it; "
                            + "here it is s17, by RESTOREJ_GROUP_SWITCH"
                    : "  label of .* s17 +RESTOREJ_GROUP_SWITCH"), said);
        }
    }

    @Test
    void printsAnObjectForPrograms() throws IOException {
        run(THREE_LEVELS, "--checkpoint", "16", "--host", "host1", "--json").assertExit(RedsetCommand.WHOLE)
                .assertSays("\"checkpoint\" : 16", "\"host\" : \"host1\"", "\"name\" : \"scheme\"",
                        "\"source\" : \"COUNT in line 3\"");
    }

    @Test
    void namesErrorsOfTheFileByLineAndOfTheCommandByOption() throws IOException {
        run("SCR_COPY_TYPE=FILE\nCKPT=0 TYPE=RAID6\n", "--checkpoint", "1").assertExit(RedsetCommand.USAGE)
                .assertSays("scr.conf: line 2: TYPE must be SINGLE, PARTNER, XOR or RS: RAID6");
        run(THREE_LEVELS).assertExit(RedsetCommand.USAGE)
                .assertSays("--checkpoint");
        run(THREE_LEVELS, "--checkpoint", "-1").assertExit(RedsetCommand.USAGE)
                .assertSays("--checkpoint must be at least 0: --checkpoint=-1");
    }
}

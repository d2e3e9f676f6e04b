package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.RestoreCommand;
import org.restorej.redset.ProgramRun;

class ConfigCommandTest {
    @TempDir
    Path folder;

    private ProgramRun run(String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("scr.conf"), text);
        return RedsetRun.of(Stream.concat(Stream.of("config", file), Stream.of(options)).toArray());
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
    void saysWhatApplies() throws IOException {
        assertEquals("""
                checkpoint 16
                  interval        8
                  scheme          PARTNER with 2 replicas
                  set size        6
                  store           /ssd
                  group           SWITCH
                  label of host2  1
                  kept            3
                """, run(THREE_LEVELS, "--checkpoint", "16", "--host", "host2").assertExit(RedsetCommand.WHOLE).text());
        assertEquals("""
                checkpoint 7
                  interval        1
                  scheme          XOR
                  set size        16
                  store           /tmp
                  group           NODE
                  label of host2  host2
                  kept            1
                """, run(THREE_LEVELS, "--checkpoint", "7", "--host", "host2").assertExit(RedsetCommand.WHOLE).text());
        run(THREE_LEVELS, "--checkpoint", "8", "--host", "host9").assertExit(RedsetCommand.WHOLE)
                .assertSays("label of host9  none");
    }

    @Test
    void takesTheEnvironmentOfTheProcess() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("scr.conf"), "SCR_CACHE_BASE=/tmp/$JOB\nSCR_COPY_TYPE=XOR\n");
        ProgramRun.inOwnJvm(RestoreCommand.class,
                process -> process.environment().putAll(Map.of("SCR_COPY_TYPE", "SINGLE", "JOB", "j17")), "redset",
                "config", file, "--checkpoint", "1").assertExit(RedsetCommand.WHOLE)
                .assertSays("SINGLE", "/tmp/j17");
    }

    @Test
    void namesAFileThatIsNoText() throws IOException {
        Path file = Files.write(folder.resolve("scr.conf"), new byte[]{'S', (byte) 0xe4, '\n'});
        RedsetRun.of("config", file, "--checkpoint", "1").assertExit(RedsetCommand.USAGE)
                .assertSays("FILE must be text in UTF-8: " + file);
    }

    @Test
    void wantsANumberOfFailuresAlsoWhereItDoesNotCount() throws IOException {
        for (String type : new String[]{"XOR", "SINGLE", "PARTNER"}) {
            run("SCR_COPY_TYPE=" + type + "\nSCR_SET_FAILURES=many\n", "--checkpoint", "1")
                    .assertExit(RedsetCommand.USAGE, type)
                    .assertSays("line 2: SCR_SET_FAILURES must be a number in [1, 2147483647]: many");
        }
    }

    @Test
    void printsAnObjectForPrograms() throws IOException {
        run(THREE_LEVELS, "--checkpoint", "16", "--host", "host1", "--json").assertExit(RedsetCommand.WHOLE)
                .assertSays("\"checkpoint\" : 16", "\"host\" : \"host1\"", "\"kept\" : \"3\"");
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

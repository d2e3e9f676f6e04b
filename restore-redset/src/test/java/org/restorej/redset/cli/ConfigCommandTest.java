package org.restorej.redset.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    private int run(String text, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("scr.conf"), text);
        String[] arguments = new String[options.length + 2];
        arguments[0] = "config";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        out.getBuffer().setLength(0);
        return new CommandLine(new RedsetCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
                .execute(arguments);
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
            CKPT=3 INTERVAL=3 TYPE=SINGLE
            """;

    @Test
    void saysWhatAppliesAndWhy() throws IOException {
        assertEquals(RedsetCommand.WHOLE, run(THREE_LEVELS, "--checkpoint", "16", "--host", "host2"), out.toString());
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
                """, out.toString());
        assertEquals(RedsetCommand.WHOLE, run(THREE_LEVELS, "--checkpoint", "7", "--host", "host2"), out.toString());
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
                """, out.toString());
        assertEquals(RedsetCommand.WHOLE, run(THREE_LEVELS, "--checkpoint", "4", "--host", "host9"), out.toString());
        assertTrue(out.toString().contains("scheme          XOR     by default"), out.toString());
        assertEquals(RedsetCommand.WHOLE, run(THREE_LEVELS, "--checkpoint", "8", "--host", "host9"), out.toString());
        assertTrue(out.toString().contains("none                     no line GROUPS=host9 has SWITCH"), out.toString());
    }

    @Test
    void explainsParametersWhereLinesDoNotCount() throws IOException {
        assertEquals(RedsetCommand.WHOLE, run("SCR_COPY_TYPE=rs\nCKPT=0 TYPE=XOR\n", "--checkpoint", "1"));
        assertTrue(out.toString().contains("SCR_COPY_TYPE is not FILE, so CKPT lines don't count"), out.toString());
        assertTrue(out.toString().contains("SCR_COPY_TYPE in line 1"), out.toString());
    }

    @Test
    void printsAnObjectForPrograms() throws IOException {
        assertEquals(RedsetCommand.WHOLE, run(THREE_LEVELS, "--checkpoint", "16", "--host", "host1", "--json"));
        for (String part : new String[]{"\"checkpoint\" : 16", "\"host\" : \"host1\"", "\"name\" : \"scheme\"",
                "\"source\" : \"COUNT in line 3\""}) {
            assertTrue(out.toString().contains(part), part + " in " + out);
        }
    }

    @Test
    void namesErrorsOfTheFileByLineAndOfTheCommandByOption() throws IOException {
        assertEquals(RedsetCommand.USAGE, run("SCR_COPY_TYPE=FILE\nCKPT=0 TYPE=RAID6\n", "--checkpoint", "1"));
        assertTrue(out.toString().contains("scr.conf: line 2: TYPE must be SINGLE, PARTNER, XOR or RS: RAID6"),
                out.toString());
        assertEquals(RedsetCommand.USAGE, run(THREE_LEVELS));
        assertTrue(out.toString().contains("--checkpoint"), out.toString());
        assertEquals(RedsetCommand.USAGE, run(THREE_LEVELS, "--checkpoint", "-1"));
        assertTrue(out.toString().contains("--checkpoint must be at least 0: --checkpoint=-1"), out.toString());
    }
}

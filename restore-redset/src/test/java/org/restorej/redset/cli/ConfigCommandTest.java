package org.restorej.redset.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
    private static final int MOST_SECONDS = 120;

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
    void explainsTheNumberOfFailuresOnlyWhereItCounts() throws IOException {
        assertEquals(RedsetCommand.WHOLE, run("SCR_COPY_TYPE=XOR\nSCR_SET_FAILURES=3\n", "--checkpoint", "1"));
        assertTrue(!out.toString().contains("SCR_SET_FAILURES"), out.toString());
        assertEquals(RedsetCommand.WHOLE, run("SCR_COPY_TYPE=rs\nSCR_SET_FAILURES=3\n", "--checkpoint", "1"));
        assertTrue(out.toString().contains("SCR_SET_FAILURES in line 2"), out.toString());
        for (String type : new String[]{"XOR", "SINGLE", "PARTNER"}) {
            assertEquals(RedsetCommand.USAGE,
                    run("SCR_COPY_TYPE=" + type + "\nSCR_SET_FAILURES=many\n", "--checkpoint", "1"), type);
            assertTrue(out.toString().contains("line 2: SET_FAILURES must be a number in [1, 2147483647]: many"),
                    out.toString());
        }
    }

    /** Runs a command in a process of its own, with an environment of the caller's choice. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            System.exit(new CommandLine(new RedsetCommand()).execute(arguments));
        }
    }

    @Test
    void saysThatTheEnvironmentOfAnotherHostIsUnknown() throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("scr.conf"), "SCR_COPY_TYPE=XOR\nSCR_GROUP=SWITCH\n");
        for (boolean other : new boolean[]{false, true}) {
            List<String> command = new ArrayList<>(
                    List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                            "-cp", System.getProperty("java.class.path"), Main.class.getName(), "config",
                            file.toString(), "--checkpoint", "1"));
            command.addAll(other ? List.of("--host", "no.such.host") : List.of());
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("RESTOREJ_GROUP_SWITCH", "s17");
            Path output = folder.resolve("out");
            Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            String said = Files.readString(output);
            assertTrue(ended && process.exitValue() == RedsetCommand.WHOLE, said);
            String label = said.lines().filter(line -> line.startsWith("  label of")).findFirst().orElse("");
            assertTrue(label.matches(other
                    ? "  label of no.such.host +unknown +the environment of processes of no.such.host says it; "
                            + "here it is s17, by RESTOREJ_GROUP_SWITCH"
                    : "  label of .* s17 +RESTOREJ_GROUP_SWITCH"), said);
        }
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

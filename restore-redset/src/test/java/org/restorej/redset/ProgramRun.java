package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.restorej.redset.cli.RedsetCommand;
import picocli.CommandLine;

/**
 * How a program ended.
 *
 * @param text standard output and standard error
 */
public record ProgramRun(int exitCode, String text) {
    private static final int MAX_SECONDS = 120;

    /** Runs a command of {@code redset} in this JVM. A failure ends it as it ends {@code restore redset}. */
    public static ProgramRun redset(Object... arguments) {
        StringWriter text = new StringWriter();
        CommandLine commandLine = new CommandLine(new RedsetCommand());
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(failure.getMessage());
            return RedsetCommand.exitCodeOf(failure);
        });
        int exitCode = commandLine.setOut(new PrintWriter(text)).setErr(new PrintWriter(text))
                .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
        return new ProgramRun(exitCode, text.toString());
    }

    /** Runs a program in a JVM of its own, for what no JVM can change of itself: directory and environment. */
    public static ProgramRun inOwnJvm(Class<?> program, Consumer<ProcessBuilder> setUp, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), program.getName()));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Path output = Files.createTempFile("redset-program", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            setUp.accept(builder);
            Process process = builder.start();
            boolean ended = process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            String text = Files.readString(output, StandardCharsets.ISO_8859_1);
            assertTrue(ended, text);
            return new ProgramRun(process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }

    /** Fails unless it ended with this exit code. */
    public ProgramRun assertExit(int expected) {
        assertEquals(expected, exitCode, text);
        return this;
    }

    /** Fails unless it ended with this exit code. */
    public ProgramRun assertExit(int expected, String when) {
        assertEquals(expected, exitCode, () -> when + ": " + text);
        return this;
    }

    /** Fails unless it printed every part. */
    public ProgramRun assertSays(String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> part + " in: " + text);
        }
        return this;
    }

    /** Fails if it printed this. */
    public ProgramRun assertSaysNot(String part) {
        assertFalse(text.contains(part), () -> part + " in: " + text);
        return this;
    }

    /** Commands of {@code redset} as a program, for {@link #inOwnJvm}. */
    public static final class RedsetProgram {
        private RedsetProgram() {}

        /** Runs a command. */
        public static void main(String[] arguments) {
            System.exit(new CommandLine(new RedsetCommand()).execute(arguments));
        }
    }
}

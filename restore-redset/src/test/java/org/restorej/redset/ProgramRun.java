package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * How a program ended.
 *
 * @param text standard output and standard error
 */
public record ProgramRun(int exitCode, String text) {
    private static final int MAX_SECONDS = 120;

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
}

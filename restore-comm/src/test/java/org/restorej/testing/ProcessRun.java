package org.restorej.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a process left.
 *
 * @param exitCode its exit code
 * @param output standard output; also standard error, where that was redirected to it
 * @param errors standard error
 */
public record ProcessRun(int exitCode, String output, String errors) {
    /** Far more than any run takes, on a machine that does other things too. */
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    /** The program {@code java} that these tests run on. */
    public static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Runs a script of the project's {@code bin}, or another one by its absolute path, and waits for its end. */
    public static ProcessRun script(String script, String... arguments) throws IOException, InterruptedException {
        return script(Map.of(), script, arguments);
    }

    /** The same with changes to the environment. */
    public static ProcessRun script(Map<String, String> environment, String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.script(script).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return of(builder);
    }

    /** Writes a script that may be started. */
    public static Path writeScript(Path file, String text) throws IOException {
        return Files.setPosixFilePermissions(Files.writeString(file, text),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Starts a process and waits for its end. One that doesn't end is ended, with what it has started. */
    public static ProcessRun of(ProcessBuilder builder) throws IOException, InterruptedException {
        return of(builder, TIMEOUT);
    }

    /** The same for a process that may take another time. */
    public static ProcessRun of(ProcessBuilder builder, Duration timeout) throws IOException, InterruptedException {
        Path output = Files.createTempFile("restorej-process", ".out");
        Path errors = Files.createTempFile("restorej-process", ".err");
        try {
            Process process = builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
            if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
                throw new AssertionError(builder.command() + " didn't end within " + timeout + ": " + text(output)
                        + text(errors));
            }
            return new ProcessRun(process.exitValue(), text(output), text(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Standard output, then standard error. */
    public String everything() {
        return output + errors;
    }

    /** Everything, for a person. */
    public String describe() {
        return "exit code " + exitCode + "\n--- output\n" + output + "--- errors\n" + errors;
    }
}

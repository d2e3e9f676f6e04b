package org.restorej.cli.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a script of the project's {@code bin} left.
 *
 * @param exitCode its exit code
 * @param output standard output
 * @param errors standard error
 */
public record ScriptRun(int exitCode, String output, String errors) {
    /** Far more than any run takes, on a machine that does other things too. */
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    /** Runs a script and waits for its end. */
    public static ScriptRun of(String script, String... arguments) throws IOException, InterruptedException {
        return with(Map.of(), script, arguments);
    }

    /** The same with changes to the environment. */
    public static ScriptRun with(Map<String, String> environment, String script, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(root().resolve("bin").resolve(script).toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("restorej-script", ".out");
        Path errors = Files.createTempFile("restorej-script", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
                throw new AssertionError(command + " didn't end within " + TIMEOUT);
            }
            return new ScriptRun(process.exitValue(), text(output), text(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    /** The project's folder. */
    public static Path root() {
        String root = System.getProperty("restorej.root");
        if (root == null) {
            throw new IllegalStateException("the build must say where the project is: restorej.root");
        }
        return Path.of(root);
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

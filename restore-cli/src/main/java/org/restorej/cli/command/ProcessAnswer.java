package org.restorej.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The output of a process in lines of the form key=value.
 *
 * @param values by key
 * @param trouble reason why there is no output
 */
public record ProcessAnswer(Map<String, String> values, Optional<String> trouble) {
    private static final long TIMEOUT_SECONDS = 30;

    /** Copies the map. */
    public ProcessAnswer {
        values = Map.copyOf(values);
    }

    /** No output, with the reason. */
    public static ProcessAnswer troubled(String trouble) {
        return new ProcessAnswer(Map.of(), Optional.of(trouble));
    }

    /**
     * The MPIs that the project's scripts find.
     *
     * @param root the project's folder
     */
    public static ProcessAnswer onMpis(Path root) {
        return of(List.of(root.resolve("bin").resolve("lib").resolve("mpi-facts").toString()), Map.of());
    }

    /**
     * Runs a process, for at most half a minute, and returns its output.
     *
     * @param command writes lines of the form key=value
     * @param environment changes to this process's environment
     */
    public static ProcessAnswer of(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Path answer = Files.createTempFile("restorej-answer", ".txt");
            try {
                return of(builder.redirectOutput(answer.toFile()).start(), command.getFirst(), answer);
            } finally {
                Files.delete(answer);
            }
        } catch (IOException unstartable) {
            return troubled(command.getFirst() + " can't be run: " + unstartable.getMessage());
        }
    }

    private static ProcessAnswer of(Process process, String program, Path answer) throws IOException {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                return troubled(program + " did not answer within " + TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            return troubled("interrupted");
        }
        String text = new String(Files.readAllBytes(answer), StandardCharsets.UTF_8);
        if (process.exitValue() == 0) {
            return parsed(text);
        }
        return troubled(text.isBlank() ? program + " ended with exit code " + process.exitValue() : text.strip());
    }

    /** Parses lines of the form key=value; a key without a value is ignored. */
    public static ProcessAnswer parsed(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0 && equals < line.length() - 1) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return new ProcessAnswer(values, Optional.empty());
    }

    /** The value of a key, if it has one. */
    public Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }
}

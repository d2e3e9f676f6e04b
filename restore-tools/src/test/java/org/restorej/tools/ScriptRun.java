package org.restorej.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.restorej.tools.docs.ProjectFolder;

/**
 * What a script of the project's {@code bin} left.
 *
 * @param exitCode its exit code
 * @param output what it printed, errors included
 */
public record ScriptRun(int exitCode, String output) {
    private static final int TIMEOUT_SECONDS = 480;

    /** Runs a script and waits for its end. */
    public static ScriptRun of(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProjectFolder.root().resolve("bin").resolve(script).toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("restorej-script", ".out");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
                throw new AssertionError(command + " didn't end within " + TIMEOUT_SECONDS + " s");
            }
            return new ScriptRun(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}

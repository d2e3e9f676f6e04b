package org.restorej.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.restorej.testing.ProjectFolder;

/** A script of the project's {@code bin} that runs until it is killed, with all that it has started. */
final class RunningScript implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(6);
    private static final long POLL_MILLIS = 20;

    private final Process process;

    private RunningScript(Process process) {
        this.process = process;
    }

    /** Starts a script. What it prints is not kept. */
    static RunningScript start(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProjectFolder.root().resolve("bin").resolve(script).toString());
        command.addAll(List.of(arguments));
        return new RunningScript(new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start());
    }

    /** Waits until a file is there. */
    void awaitFile(Path file) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.exists(file)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError(
                        file + " didn't come" + (process.isAlive() ? "" : ", and the script has ended"));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Kills all its processes with SIGKILL.
     *
     * @return how many they were
     */
    int killAll() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        process.onExit().orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        return all.size();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            killAll();
        }
    }
}

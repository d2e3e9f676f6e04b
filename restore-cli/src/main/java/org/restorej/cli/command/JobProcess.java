package org.restorej.cli.command;

import java.io.IOException;

/** Runs scripts that start ranks. */
public final class JobProcess {
    private JobProcess() {}

    /**
     * Starts a process and waits for its end. If this process is asked to stop, it asks the other one to stop, too: a
     * script then ends its ranks, which would otherwise continue.
     *
     * @return its exit code
     * @throws IOException when it can't be started
     * @throws IllegalStateException when this thread is interrupted; the process is asked to stop
     */
    public static int exitCode(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        Thread stop = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            int exitCode = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(stop);
            return exitCode;
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + builder.command().getFirst(),
                    interrupted);
        }
    }
}

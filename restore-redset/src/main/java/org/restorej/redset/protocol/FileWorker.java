package org.restorej.redset.protocol;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads and writes files while its owner computes and sends. Work is done in the order given. After a
 * failure nothing more is done, and the owner, who has promised the others messages, learns of it when those are sent.
 */
final class FileWorker implements AutoCloseable {
    private final ExecutorService thread = Executors
            .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("redset-files").factory());
    private volatile @Nullable IOException failure;

    /** Something to do with files. */
    @FunctionalInterface
    interface Work {
        /** Does it. */
        void run() throws IOException;
    }

    /** Does something soon. */
    Future<?> submit(Work work) {
        return thread.submit(() -> {
            try {
                if (failure == null) {
                    work.run();
                }
            } catch (IOException failed) {
                failure = failed;
            }
        });
    }

    /** Waits until something is done, or was not because of a failure. */
    static void await(Future<?> work) {
        try {
            work.get();
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException("working on files failed", unexpected.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for files", interrupted);
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    void throwFailure() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** Returns when no more work is under way. */
    @Override
    public void close() {
        thread.close();
    }
}

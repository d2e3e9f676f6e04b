package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Distributes rows among threads. After a failure no more rows are given out. */
final class ParallelRows {
    private ParallelRows() {}

    /** Where a thread gets its next row from. */
    @FunctionalInterface
    interface Rows {
        /** The next row, or -1 when there is none left. */
        int next();
    }

    /** What a thread does with rows. */
    @FunctionalInterface
    interface Work {
        /** Works on rows until there are no more. */
        void run(Rows rows) throws IOException;
    }

    /** Works on rows {@code 0 .. count - 1}, each once; the first failure is thrown after all threads have stopped. */
    static void run(int count, int threads, Work work) throws IOException {
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        Rows rows = () -> {
            int row = next.getAndIncrement();
            return row < count && !failed.get() ? row : -1;
        };
        List<Future<Boolean>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(Math.clamp(threads, 1, count))) {
            for (int thread = 0; thread < Math.min(threads, count); thread++) {
                running.add(executor.submit(() -> {
                    boolean done = false;
                    try {
                        work.run(rows);
                        done = true;
                    } finally {
                        if (!done) {
                            failed.set(true);
                        }
                    }
                    return done;
                }));
            }
        }
        for (Future<Boolean> each : running) {
            rethrow(each);
        }
    }

    private static void rethrow(Future<Boolean> finished) throws IOException {
        try {
            finished.get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof IOException reason) {
                throw new IOException(reason.getMessage(), reason);
            }
            throw new IllegalStateException("a thread failed", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }
}

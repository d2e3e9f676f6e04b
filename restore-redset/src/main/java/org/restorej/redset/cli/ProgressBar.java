package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.restorej.redset.coding.Progress;

/** A line on a terminal that grows. Thread-safe. */
final class ProgressBar implements Progress, AutoCloseable {
    private static final int WIDTH = 50;
    private static final int PERCENT = 100;

    private final PrintWriter out;
    private final long totalBytes;
    private final AtomicLong doneBytes = new AtomicLong();
    private final AtomicLong shownPercent = new AtomicLong(-1);

    ProgressBar(PrintWriter out, long totalBytes) {
        this.out = out;
        this.totalBytes = Math.max(1, totalBytes);
    }

    @Override
    public void advanced(long bytes) {
        long percent = (long) ((double) doneBytes.addAndGet(bytes) / totalBytes * PERCENT);
        if (shownPercent.getAndAccumulate(percent, Math::max) < percent) {
            int filled = (int) (percent * WIDTH / PERCENT);
            out.print("\r[" + "=".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + percent + " %");
            out.flush();
        }
    }

    @Override
    public void close() {
        out.println();
        out.flush();
    }
}

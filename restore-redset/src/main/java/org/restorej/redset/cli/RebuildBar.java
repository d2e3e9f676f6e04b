package org.restorej.redset.cli;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.restorej.redset.internal.coding.Progress;

/** How far a rebuild is, on the terminal that standard error goes to. Thread-safe. */
final class RebuildBar implements Progress, AutoCloseable {
    private static final int WIDTH = 100;
    private static final int UPDATE_INTERVAL_MILLIS = 100;
    private static final long MEBIBYTE = 1 << 20;

    private final ProgressBar bar;

    RebuildBar(long totalBytes) {
        bar = new ProgressBarBuilder().setTaskName("rebuild").setInitialMax(totalBytes).setUnit(" MiB", MEBIBYTE)
                .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(UPDATE_INTERVAL_MILLIS)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH)).build();
    }

    @Override
    public void advanced(long bytes) {
        bar.stepBy(bytes);
    }

    @Override
    public void close() {
        bar.close();
    }
}

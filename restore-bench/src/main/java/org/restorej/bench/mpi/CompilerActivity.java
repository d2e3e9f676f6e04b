package org.restorej.bench.mpi;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whether the JVM's compilers have worked lately: a measurement beside them would be one of them. They work beside the
 * ranks and tell of a method when it is done. One thread.
 */
final class CompilerActivity {
    /** So much in all since they were last found busy: a few small methods take less. */
    private static final long NOTICEABLE_MILLIS = 5;

    private final @Nullable CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    private final long idleNanos;
    private long seenMillis;
    private long busyAtNanos;

    /**
     * From now on.
     *
     * @param idleNanos after so long without anything to notice they count as idle
     */
    CompilerActivity(long idleNanos) {
        this.idleNanos = idleNanos;
        seenMillis = totalMillis();
        busyAtNanos = System.nanoTime();
    }

    private long totalMillis() {
        return compilers != null && compilers.isCompilationTimeMonitoringSupported()
                ? compilers.getTotalCompilationTime()
                : 0;
    }

    boolean isBusy() {
        long now = System.nanoTime();
        long total = totalMillis();
        if (total - seenMillis >= NOTICEABLE_MILLIS) {
            seenMillis = total;
            busyAtNanos = now;
        }
        return now - busyAtNanos < idleNanos;
    }
}

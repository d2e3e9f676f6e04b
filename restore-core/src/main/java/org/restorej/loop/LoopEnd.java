package org.restorej.loop;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The end of the job of a {@link CheckpointLoop}, as set by Slurm or the application. Not thread-safe. */
final class LoopEnd {
    private static final System.Logger LOG = System.getLogger(LoopEnd.class.getName());
    /** Seconds before the end of the job in which nothing is started. */
    private static final double MARGIN_SECONDS = 5;
    /** Iterations and saves may take this many times as long as the last ones. */
    private static final double SLOWER = 2;

    /** End of the job in {@link System#nanoTime}; null if unknown. */
    private @Nullable Long nanos = ofSlurm(System.getenv("SLURM_JOB_END_TIME"));

    private static @Nullable Long ofSlurm(@Nullable String seconds) {
        try {
            return seconds == null ? null : nanosOf(Instant.ofEpochSecond(Long.parseLong(seconds)));
        } catch (NumberFormatException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "SLURM_JOB_END_TIME must be seconds since 1970: {0}", seconds);
            return null;
        }
    }

    /** Converted once, so that later changes of the system clock have no effect. */
    private static long nanosOf(Instant when) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(when.toEpochMilli() - System.currentTimeMillis());
    }

    void setTo(Instant when) {
        nanos = nanosOf(when);
    }

    boolean isKnown() {
        return nanos != null;
    }

    /** Whether something that takes {@code seconds}, or somewhat longer, would not be done before the end. */
    boolean isNear(double seconds) {
        Long over = nanos;
        return over != null && (over - System.nanoTime()) * 1e-9 < SLOWER * seconds + MARGIN_SECONDS;
    }
}

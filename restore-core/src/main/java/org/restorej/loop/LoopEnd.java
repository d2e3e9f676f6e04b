package org.restorej.loop;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** When the job of a {@link CheckpointLoop} ends: as Slurm says, or the application. Not thread-safe. */
final class LoopEnd {
    private static final System.Logger LOG = System.getLogger(LoopEnd.class.getName());
    /** Seconds before the end of a job in which nothing is begun. */
    private static final double MARGIN_SECONDS = 5;
    /** Iterations and saving may take longer than the last time. */
    private static final double SLOWER = 2;

    /** As {@link System#nanoTime} has it; null when nobody says. */
    private @Nullable Long nanos = ofSlurm(System.getenv("SLURM_JOB_END_TIME"));

    private static @Nullable Long ofSlurm(@Nullable String seconds) {
        try {
            return seconds == null ? null : nanosOf(Instant.ofEpochSecond(Long.parseLong(seconds)));
        } catch (NumberFormatException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "SLURM_JOB_END_TIME must be seconds since 1970: {0}", seconds);
            return null;
        }
    }

    /** Clocks may be set while the job runs; what is left of it then stays. */
    private static long nanosOf(Instant when) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(when.toEpochMilli() - System.currentTimeMillis());
    }

    void setTo(Instant when) {
        nanos = nanosOf(when);
    }

    boolean isKnown() {
        return nanos != null;
    }

    /** Whether what takes so long, and perhaps longer, would not be done before the end. */
    boolean isNear(double seconds) {
        Long over = nanos;
        return over != null && (over - System.nanoTime()) * 1e-9 < SLOWER * seconds + MARGIN_SECONDS;
    }
}

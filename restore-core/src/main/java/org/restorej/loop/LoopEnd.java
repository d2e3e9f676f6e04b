package org.restorej.loop;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The end of the job of a {@link CheckpointLoop}, as set by Slurm or the application. Not thread-safe. */
final class LoopEnd {
    private static final System.Logger LOG = System.getLogger(LoopEnd.class.getName());
    /** Seconds before the end of the job in which nothing is started. */
    private static final double MARGIN_SECONDS = 5;
    /** A later end counts as this one: nanoseconds of 292 years overflow. */
    private static final int MAX_DAYS = 36_500;
    /** Iterations and saves may take this many times as long as the last ones. */
    private static final double SLOWER = 2;

    /** End of the job in {@link System#nanoTime}; null if unknown. */
    private @Nullable Long nanos = ofSlurm(System.getenv("SLURM_JOB_END_TIME"));

    private static @Nullable Long ofSlurm(@Nullable String seconds) {
        try {
            return seconds == null ? null : nanosOf(Instant.ofEpochSecond(Long.parseLong(seconds)));
        } catch (NumberFormatException | DateTimeException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "SLURM_JOB_END_TIME must be seconds since 1970: {0}", seconds);
            return null;
        }
    }

    /** Converted once, so that later changes of the system clock have no effect. */
    private static long nanosOf(Instant when) {
        Duration left = Duration.between(Instant.now(), when);
        Duration longest = Duration.ofDays(MAX_DAYS);
        return System.nanoTime() + (left.compareTo(longest) > 0 ? longest : left).toNanos();
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

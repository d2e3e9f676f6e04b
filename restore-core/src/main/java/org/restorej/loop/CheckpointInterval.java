package org.restorej.loop;

import java.time.Duration;
import java.util.Objects;

/**
 * How often a {@link CheckpointLoop} submits a generation. The same on every PE. Immutable.
 *
 * <p>
 * Checkpoints are taken between iterations. An interval of time is therefore converted into a number of iterations,
 * from the iteration time of the slowest PE; all PEs use the same number. It starts at 1, at most doubles from
 * checkpoint to checkpoint, and follows changes of the iteration time.
 */
public final class CheckpointInterval {
    /** Upper limit of an interval, so that sums of iterations don't overflow. */
    private static final long MAX_ITERATIONS = 1L << 40;

    private enum Kind {
        ITERATIONS, SECONDS, DALY
    }

    private final Kind kind;
    private final double value;

    private CheckpointInterval(Kind kind, double value) {
        this.kind = kind;
        this.value = value;
    }

    /**
     * A generation every {@code iterations} iterations.
     *
     * @param iterations at least 1
     */
    public static CheckpointInterval iterations(long iterations) {
        if (iterations < 1) {
            throw new IllegalArgumentException("iterations must be at least 1: iterations=" + iterations);
        }
        return new CheckpointInterval(Kind.ITERATIONS, iterations);
    }

    /**
     * A generation about every {@code interval}.
     *
     * @param interval between two checkpoints, longer than zero
     */
    public static CheckpointInterval time(Duration interval) {
        return new CheckpointInterval(Kind.SECONDS, positiveSeconds("interval", interval));
    }

    /**
     * The interval with the lowest expected loss of time, from the measured cost c of a checkpoint and the mean time m
     * between failures: Daly's higher-order estimate (J. T. Daly, "A higher order estimate of the optimum checkpoint
     * interval for restart dumps", Future Generation Computer Systems 22, 2006, equation 37). Its first term is Young's
     * {@code sqrt(2 c m)}.
     *
     * @param meanTimeBetweenFailures of the whole job, longer than zero: that of one PE, or of one node if nodes fail
     *        as a whole, divided by their number
     */
    public static CheckpointInterval daly(Duration meanTimeBetweenFailures) {
        return new CheckpointInterval(Kind.DALY, positiveSeconds("meanTimeBetweenFailures", meanTimeBetweenFailures));
    }

    private static double positiveSeconds(String argument, Duration duration) {
        if (Objects.requireNonNull(duration, argument).isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(argument + " must be longer than zero: " + argument + "=" + duration);
        }
        return duration.getSeconds() + duration.getNano() * 1e-9;
    }

    /** Whether {@link #iterations(double, double, long)} needs measured times, which must be equal on all PEs. */
    boolean dependsOnTimes() {
        return kind != Kind.ITERATIONS;
    }

    /** Number of iterations to the first checkpoint. */
    long firstIterations() {
        return kind == Kind.ITERATIONS ? (long) value : 1;
    }

    /** Whether a checkpoint is due in a level of storage, given the iterations and seconds since the previous one. */
    boolean isDue(long iterations, double seconds, double checkpointSeconds) {
        return switch (kind) {
            case ITERATIONS -> iterations >= value;
            case SECONDS -> seconds >= value;
            case DALY -> seconds >= dalySeconds(checkpointSeconds, value);
        };
    }

    /**
     * Number of iterations to the next checkpoint.
     *
     * @param iterationSeconds of the slowest PE
     * @param checkpointSeconds of the slowest PE
     * @param before number of iterations between the last two checkpoints
     */
    long iterations(double iterationSeconds, double checkpointSeconds, long before) {
        if (kind == Kind.ITERATIONS) {
            return (long) value;
        }
        double seconds = kind == Kind.SECONDS ? value : dalySeconds(checkpointSeconds, value);
        double wanted = Math.rint(seconds / Math.max(iterationSeconds, 1e-9));
        return (long) Math.clamp(wanted, 1.0, (double) Math.min(2 * before, MAX_ITERATIONS));
    }

    /**
     * Daly's interval, see {@link #daly}.
     *
     * @param checkpointSeconds cost c of a checkpoint, at least 0
     * @param meanSecondsBetweenFailures of the whole job, m, above 0
     * @return seconds; m if a checkpoint costs at least {@code 2 m}
     */
    public static double dalySeconds(double checkpointSeconds, double meanSecondsBetweenFailures) {
        double half = checkpointSeconds / (2 * meanSecondsBetweenFailures);
        if (half >= 1) {
            return meanSecondsBetweenFailures;
        }
        double young = Math.sqrt(2 * checkpointSeconds * meanSecondsBetweenFailures);
        return young * (1 + Math.sqrt(half) / 3 + half / 9) - checkpointSeconds;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ITERATIONS -> "every " + (long) value + " iterations";
            case SECONDS -> "every " + value + " s";
            case DALY -> "as often as pays with " + value + " s between failures";
        };
    }
}

package org.restorej.demo.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a run. Times are in nanoseconds since its start, which is that of all PEs, as exactly as they can
 * leave a reduction together. Immutable.
 *
 * @param lanes of all PEs, by original rank
 * @param failures in order of time
 * @param values in order of time
 * @param endNanos when the run ended
 */
public record RunTrace(List<Lane> lanes, List<Failure> failures, List<Value> values, long endNanos) {
    /**
     * One PE. When it failed its spans end with the last that another PE knows of.
     *
     * @param originalRank which
     * @param spans in order of time
     */
    public record Lane(int originalRank, List<Span> spans) {
        /** Copies what can change. */
        public Lane {
            spans = List.copyOf(spans);
        }
    }

    /**
     * What a PE did for a while.
     *
     * @param activity what
     * @param fromNanos since when
     * @param toNanos until when
     */
    public record Span(Activity activity, long fromNanos, long toNanos) {
        /** Checks the times. */
        public Span {
            if (fromNanos > toNanos) {
                throw new IllegalArgumentException("a span can't end before it begins: fromNanos=" + fromNanos
                        + ", toNanos=" + toNanos);
            }
        }
    }

    /**
     * PEs failed, and nobody knew before all of them had.
     *
     * @param originalRanks which
     * @param iteration in which
     * @param nanos when
     * @param recoveredNanos when the lowest rank alive could work again; null when blocks were lost
     */
    public record Failure(List<Integer> originalRanks, int iteration, long nanos,
            @Nullable Long recoveredNanos) {
        /** Copies what can change. */
        public Failure {
            originalRanks = List.copyOf(originalRanks);
        }
    }

    /**
     * How far the computation had come.
     *
     * @param iteration the one that was done
     * @param nanos when
     * @param value of it
     */
    public record Value(int iteration, long nanos, double value) {}

    /** Copies what can change. */
    public RunTrace {
        lanes = List.copyOf(lanes);
        failures = List.copyOf(failures);
        values = List.copyOf(values);
    }
}

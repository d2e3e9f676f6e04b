package org.restorej.internal.operation;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.transfer.Channel;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/** Counts and logs the operations of a store. Costs some hundred nanoseconds an operation. */
public final class StoreMonitor {
    private static final Logger LOGGER = System.getLogger("org.restorej");

    private final Map<Operation, Counter> counters = new EnumMap<>(Operation.class);

    /** Totals of the runs of one operation. */
    private static final class Counter {
        private long calls;
        private long failures;
        private long sentBytes;
        private long receivedBytes;
        private long nanos;

        private StoreReport.Totals totals() {
            return new StoreReport.Totals(calls, failures, sentBytes, receivedBytes, nanos);
        }
    }

    /**
     * Begins to observe an operation. Allocates all that counting needs, since a commit must not fail for lack of
     * memory.
     */
    Observation begin(Operation operation) {
        counters.computeIfAbsent(operation, _ -> new Counter());
        return new Observation(operation);
    }

    /** One run of an operation, which begins with the constructor. */
    final class Observation {
        private final Operation operation;
        private final long startNanos = System.nanoTime();
        private long nanos;

        private Observation(Operation operation) {
            this.operation = operation;
        }

        /** Stops the clock and records the outcome. */
        void end(StoreState state, @Nullable Throwable failure) {
            end();
            note(state, failure);
        }

        /** Stops the clock. */
        void end() {
            nanos = System.nanoTime() - startNanos;
        }

        /**
         * Records the outcome, after {@link #end}.
         *
         * @param state the state after the operation
         */
        void note(StoreState state, @Nullable Throwable failure) {
            Channel moved = state.channel();
            Counter counter = Objects.requireNonNull(counters.get(operation));
            counter.calls++;
            counter.failures += failure == null ? 0 : 1;
            counter.sentBytes += moved.sentBytes();
            counter.receivedBytes += moved.receivedBytes();
            counter.nanos += nanos;
            if (LOGGER.isLoggable(Level.DEBUG)) {
                LOGGER.log(Level.DEBUG, text(state, moved, failure));
            }
            moved.resetTraffic();
        }

        private String text(StoreState state, Channel moved, @Nullable Throwable failure) {
            return String.format(Locale.ROOT, "%s on store rank %d %s %.3f ms: generation %d, %d bytes sent, "
                    + "%d received, %d peers, failed ranks %s, %d damaged replicas%s", operation.text(),
                    state.rank(), failure == null ? "took" : "failed after", nanos / 1e6, state.generationNumber(),
                    moved.sentBytes(), moved.receivedBytes(), moved.peers(),
                    state.failedRanks(), state.damagedReplicas(), failure == null ? "" : ": " + failure);
        }
    }

    /** Logs damage that was not known before. */
    void damageFound(int known, int found) {
        if (found > known) {
            LOGGER.log(Level.WARNING,
                    "{0} damaged replicas found, {1} in all: they are read no more, and replaced by the "
                            + "next replenish",
                    found - known, found);
        }
    }

    public Map<Operation, StoreReport.Totals> totals() {
        Map<Operation, StoreReport.Totals> totals = new EnumMap<>(Operation.class);
        counters.forEach((operation, counter) -> {
            if (counter.calls > 0) {
                totals.put(operation, counter.totals());
            }
        });
        return Map.copyOf(totals);
    }
}

package org.restorej.comm.mpi;

import java.util.function.BooleanSupplier;

/** A wait at the end of a program, in which this PE leaves early if the others need it to fail. */
final class Patience {
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /**
     * How long this PE waits after its communicator has become unusable. Others may be on their way to the end, and
     * need only what is already in flight.
     */
    private static final long GRACE_NANOS = 1_000_000_000;

    private long lookNanos = System.nanoTime();
    private long usableNanos = lookNanos;

    /**
     * Whether this PE must leave; called repeatedly.
     *
     * @param usable whether no other PE needs it to fail
     */
    boolean isOver(BooleanSupplier usable) {
        long now = System.nanoTime();
        if (now - lookNanos < LOOK_INTERVAL_NANOS) {
            return false;
        }
        lookNanos = now;
        if (usable.getAsBoolean()) {
            usableNanos = now;
        }
        return now - usableNanos > GRACE_NANOS;
    }
}

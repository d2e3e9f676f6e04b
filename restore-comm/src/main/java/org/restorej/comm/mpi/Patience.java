package org.restorej.comm.mpi;

import java.util.function.BooleanSupplier;

/** One wait at the end of a program, in which this PE leaves when the others need it gone. */
final class Patience {
    private static final long LOOK_INTERVAL_NANOS = 1_000_000;

    /**
     * How long this PE waits on after its communicator has become useless: for others who are on their way to the end,
     * and need of this PE only what is under way already.
     */
    private static final long GRACE_NANOS = 1_000_000_000;

    private long lookNanos = System.nanoTime();
    private long usableNanos = lookNanos;

    /**
     * Whether this PE must leave; called again and again.
     *
     * @param usable whether nobody needs it gone
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

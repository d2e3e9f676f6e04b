package org.restorej.comm.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * What the groups of PEs that this process is in have in common, where failures are simulated: it has failed in all of
 * them, and while it waits for something in one it does what the others of any need of it.
 */
final class SimulatedProcess {
    /** Between two looks for messages to a failed PE: short for who waits, long for the core it shares. */
    private static final long DEAD_PAUSE_NANOS = 1_000_000;

    /**
     * A look costs half a microsecond, as much as a call in vain, of which a PE that waits makes thousands. And it
     * yields the core, which a PE that has something to do had better not do; so what it calls then counts less.
     */
    private static final int CALLS_BETWEEN_LOOKS = 256;

    private static final int CALLS_THAT_ONE_IN_VAIN_COUNTS_FOR = 16;

    /** Also of other worlds, in which it may be alive when it has failed in this one. */
    private static final List<SimulatedFailures> ALL_GROUPS = new ArrayList<>();

    private static int callsUntilLook = CALLS_BETWEEN_LOOKS;

    private final List<SimulatedFailures> groups = new ArrayList<>();
    private boolean dead;

    void joins(SimulatedFailures group) {
        groups.add(group);
        ALL_GROUPS.add(group);
    }

    boolean isDead() {
        return dead;
    }

    /** Groups that this process has joined, in that order. */
    List<SimulatedFailures> groups() {
        return groups;
    }

    /** This PE fails, and tells the PEs of all its groups who don't know. */
    void die() throws MpiException {
        dead = true;
        for (SimulatedFailures group : groups) {
            group.tellOwnDeath();
        }
        groups.getFirst().requireSelfAlive();
    }

    /** Looks for notices once in a while: for who calls it very often. */
    static void glance() throws MpiException {
        glance(1);
    }

    /** As {@link #glance}, and more often: for who waits. */
    static void glanceInVain() throws MpiException {
        glance(CALLS_THAT_ONE_IN_VAIN_COUNTS_FOR);
    }

    private static void glance(int calls) throws MpiException {
        callsUntilLook -= calls;
        if (callsUntilLook <= 0) {
            look();
        }
    }

    /**
     * Receives what this PE has been told in any group, and what others have sent it and given up since: they wait for
     * that, and this PE may be waiting for them in whatever operation.
     */
    static void look() throws MpiException {
        callsUntilLook = CALLS_BETWEEN_LOOKS;
        for (SimulatedFailures group : ALL_GROUPS) {
            group.look();
        }
        swallow();
    }

    private static void swallow() throws MpiException {
        for (SimulatedFailures group : ALL_GROUPS) {
            group.swallow();
        }
    }

    /** Called while this PE waits for others who often wait for it, too, to receive what they have given up. */
    static void awaitOthers() throws MpiException {
        glanceInVain();
        swallow();
    }

    /**
     * Waits until everybody's program is over. What a failed PE is still sent it receives, so that no sender's memory
     * stays in the hands of MPI.
     *
     * @param everybody a communicator of all processes; all of them enter its barrier at their end
     */
    void awaitEnd(MpiComm everybody) throws MpiException {
        MpiOperation end = everybody.barrier();
        while (!end.test()) {
            awaitOthers();
            if (dead) {
                look();
                LockSupport.parkNanos(DEAD_PAUSE_NANOS);
            } else {
                for (SimulatedFailures group : groups) {
                    group.requireNotAwaited();
                }
            }
        }
        ALL_GROUPS.removeAll(groups);
    }
}

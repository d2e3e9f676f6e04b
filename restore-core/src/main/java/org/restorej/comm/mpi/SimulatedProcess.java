package org.restorej.comm.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * What the groups of PEs that this process is in have in common, where failures are simulated: it is dead in all of
 * them, and waits for what happens in any.
 */
final class SimulatedProcess {
    /** Between two looks for messages to a dead PE: short for who waits, long for the core it shares. */
    private static final long DEAD_PAUSE_NANOS = 1_000_000;

    private final List<SimulatedFailures> groups = new ArrayList<>();
    private boolean dead;

    void joins(SimulatedFailures group) {
        groups.add(group);
    }

    boolean isDead() {
        return dead;
    }

    /** This PE has died in a group, whose PEs know; tells those of its other groups. */
    void diedIn(SimulatedFailures known) throws MpiException {
        dead = true;
        for (SimulatedFailures group : groups) {
            if (group != known) {
                group.tellOwnDeath();
            }
        }
    }

    /** Groups that this process has joined, in that order. */
    List<SimulatedFailures> groups() {
        return groups;
    }

    /** This PE dies, since others can't go on with it: in all groups, which are told. */
    void die() throws MpiException {
        dead = true;
        for (SimulatedFailures group : groups) {
            group.tellOwnDeath();
        }
        groups.getFirst().requireSelfAlive();
    }

    /**
     * Called while this PE waits for others, who may wait for it to receive what they have sent and given up since: on
     * communicators with a failure, receives and throws away what is there.
     */
    void awaitOthers() throws MpiException {
        for (SimulatedFailures group : groups) {
            group.glanceAndSwallow();
        }
    }

    /**
     * Spends the rest of a dead PE's time: until everybody's program is over, receives what it is still sent, so that
     * no sender's memory stays in the hands of MPI, and takes part in agreements until all know of its death.
     *
     * @param everybody a communicator of all processes; all of them enter its barrier at their end
     */
    void awaitEnd(MpiComm everybody) throws MpiException {
        MpiOperation end = everybody.barrier();
        while (!end.test()) {
            if (dead) {
                for (SimulatedFailures group : groups) {
                    group.serve();
                }
                LockSupport.parkNanos(DEAD_PAUSE_NANOS);
            } else {
                awaitOthers();
                for (SimulatedFailures group : groups) {
                    group.requireNotAwaited();
                }
            }
        }
    }
}

package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.comm.SimulatedDeathError;

/**
 * Which PEs of this job count as dead, where MPI itself can't lose a process; one per process, shared by all its
 * communicators.
 *
 * <p>
 * Every PE learns of a death in the same call, so nothing here needs to be agreed on. Since a communicator only ever
 * loses dead PEs, the PEs alive are members of every communicator: one MPI communicator of theirs serves the agreement
 * on all.
 */
final class SimulatedFailures {
    /** Between two looks for messages to a dead PE: short for who waits, long for the core it shares. */
    private static final long SWALLOW_PAUSE_NANOS = 1_000_000;

    private final int originalRank;
    private final IntAVLTreeSet dead = new IntAVLTreeSet();
    private final List<SimulatedFailureCommunicator> open = new ArrayList<>();
    private final ByteBuffer sent = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer received = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final RankMap initialRanks;
    private final RevocationNotices notices;
    private int communicators;
    private Intracomm alive;
    private RankMap aliveRanks;

    /**
     * Nobody is dead.
     *
     * @param everybody a communicator of all processes that nobody else uses
     */
    SimulatedFailures(Intracomm everybody) throws MPIException {
        this(everybody, RankMap.identity(everybody.getSize()));
    }

    /** Nobody of those who are left is dead; which original ranks those are says {@code ranks}. */
    SimulatedFailures(Intracomm everybody, RankMap ranks) throws MPIException {
        this.originalRank = ranks.originalRankOf(everybody.getRank());
        this.alive = everybody;
        this.aliveRanks = ranks;
        this.initialRanks = ranks;
        this.notices = new RevocationNotices(communicatorOfAlive());
    }

    RevocationNotices notices() {
        return notices;
    }

    /** The other PEs alive, by their ranks in the channel of the notices. */
    IntList peers() {
        IntArrayList peers = new IntArrayList();
        for (int rank = 0; rank < aliveRanks.size(); rank++) {
            int peer = aliveRanks.originalRankOf(rank);
            if (peer != originalRank) {
                peers.add(initialRanks.currentRankOf(peer));
            }
        }
        return peers;
    }

    IntSortedSet dead() {
        return IntSortedSets.unmodifiable(dead);
    }

    boolean selfIsDead() {
        return dead.contains(originalRank);
    }

    /** Throws on a PE that is dead, as the contract of {@link SimulatedDeathError} says. */
    void requireSelfAlive() {
        if (!dead.isEmpty() && selfIsDead()) {
            throw new SimulatedDeathError(OriginalRank.of(originalRank));
        }
    }

    /**
     * Takes note of a communicator.
     *
     * @return its number, the same on all PEs
     */
    int opened(SimulatedFailureCommunicator communicator) {
        open.add(communicator);
        return communicators++;
    }

    void closed(SimulatedFailureCommunicator communicator) {
        open.remove(communicator);
    }

    /**
     * Counts PEs as dead from now on. Called by all PEs alive with the same ranks; returns on the survivors.
     *
     * @param originalRanks who dies
     */
    void fail(IntCollection originalRanks) throws MPIException {
        if (!dead.addAll(originalRanks)) {
            return;
        }
        requireSelfAlive();
        IntAVLTreeSet gone = new IntAVLTreeSet();
        for (int rank = 0; rank < aliveRanks.size(); rank++) {
            if (dead.contains(aliveRanks.originalRankOf(rank))) {
                gone.add(rank);
            }
        }
        RankMap survivors = aliveRanks.without(gone);
        // The number of dead grows from call to call, so no two calls share their tag.
        alive = subset(alive, aliveRanks, survivors, dead.size());
        aliveRanks = survivors;
    }

    /**
     * An MPI communicator of some of the processes of another; called by those.
     *
     * @param ranks of the other one
     * @param staying ranks of the new one
     * @param tag not used by a call for other processes at the same time
     */
    static Intracomm subset(Intracomm intracomm, RankMap ranks, RankMap staying, int tag) throws MPIException {
        int[] members = new int[staying.size()];
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = ranks.currentRankOf(staying.originalRankOf(rank));
        }
        Group before = intracomm.getGroup();
        Group after = before.incl(members);
        Intracomm fresh = intracomm.createGroup(after, tag);
        fresh.setErrhandler(MPI.ERRORS_RETURN);
        before.free();
        after.free();
        return fresh;
    }

    /**
     * Called while this PE waits for others, who may wait for it to receive what they have sent and given up since: on
     * communicators with a failure, receives and throws away what is there.
     */
    void awaitOthers() throws MPIException {
        notices.glance();
        for (SimulatedFailureCommunicator communicator : open) {
            if (!communicator.isQuiet()) {
                communicator.swallow();
            }
        }
    }

    /** The bitwise and of the flags of all PEs alive, who all call this. */
    int agree(int flags) throws MPIException {
        sent.putInt(0, flags);
        Request reduction = alive.iAllReduce(sent, received, 1, MPI.INT, MPI.BAND);
        while (!reduction.test()) {
            awaitOthers();
        }
        return received.getInt(0);
    }

    /** A communicator of the PEs alive, who all call this. */
    Intracomm communicatorOfAlive() throws MPIException {
        Intracomm fresh = alive.dup();
        fresh.setErrhandler(MPI.ERRORS_RETURN);
        return fresh;
    }

    RankMap aliveRanks() {
        return aliveRanks;
    }

    /**
     * Spends the rest of a dead PE's time: until everybody's program is over, receives what it is still sent, so that
     * no sender's memory stays in the hands of MPI.
     *
     * @param everybody a communicator of all processes; all of them enter its barrier at their end
     */
    void awaitEnd(Intracomm everybody) throws MPIException {
        Request end = everybody.iBarrier();
        while (!end.test()) {
            notices.glance();
            if (!selfIsDead() && notices.isAwaited()) {
                throw new IllegalStateException(
                        "finish: other PEs wait for this one in shrink, so it can't leave: after a "
                                + "failure or a revocation all PEs alive must shrink");
            }
            if (selfIsDead()) {
                for (SimulatedFailureCommunicator communicator : open) {
                    communicator.swallow();
                }
                LockSupport.parkNanos(SWALLOW_PAUSE_NANOS);
            } else {
                awaitOthers();
            }
        }
    }
}

package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.internal.message.ComparedNumber;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.Background;
import org.restorej.internal.program.ProgramAbandonedError;
import org.restorej.internal.settlement.Settlement;

/**
 * Simulates failures on an MPI that does not survive real ones. All surviving ranks call {@link #fail} at the same
 * point, so no rank needs to be notified. From then on messages, collective operations and agreements on a communicator
 * with a failed rank end locally, without communication.
 *
 * <p>
 * The surviving ranks enter fail, shrink and the end of the program together, through a meeting: an
 * {@code MPI_Iallreduce} that detects a rank in a different call. Not thread-safe.
 */
final class PlainMpi implements Ulfm {
    /** The kinds of meetings. A rank sets the bit of its kind; the bitwise AND shows whether all ranks did. */
    private static final int FAIL = 1;
    private static final int SHRINK = 1 << 1;
    private static final int END_OF_PROGRAM = 1 << 2;
    private static final int END_OF_JOB = 1 << 3;
    /** Set together with {@link #END_OF_PROGRAM} if the program has returned on this rank. */
    private static final int RETURNED = 1 << 4;

    /** Time limit for pending operations in {@link #fail}, and for the end of a program; longer than any transfer. */
    private static final long END_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Pause between two MPI calls of a failed rank, so that it doesn't occupy a core. */
    private static final long FAILED_PAUSE_NANOS = 1_000_000;

    private static final int TAG = 0;

    private final MpiLibrary library;
    /** All ranks, including failed ones. */
    private final MpiComm everybody;
    private final int originalRank;
    /** The communicator for meetings. */
    private MpiComm alive;
    private RankMap aliveRanks;
    private IntSortedSet failed = IntSortedSets.EMPTY_SET;
    private boolean failedHere;
    private boolean inProgram;
    /** Whether this rank has thrown in a collective call before it took part. */
    private boolean left;

    /**
     * Starts without failures. Called by all ranks.
     *
     * @param everybody communicator of these ranks; stays the caller's
     * @param ranks their original ranks
     */
    PlainMpi(MpiLibrary library, MpiComm everybody, RankMap ranks) throws MpiException {
        this.library = library;
        this.everybody = everybody;
        this.alive = everybody.duplicate();
        this.aliveRanks = ranks;
        this.originalRank = ranks.originalRankOf(everybody.rank());
    }

    /** Creates a communicator of the surviving ranks. Called by all of them. */
    MpiCommunicator communicator() throws MpiException {
        return new MpiCommunicator(alive.duplicate(), aliveRanks, this, WaitLimit.NONE, null);
    }

    /** Creates a world without some ranks of a communicator, with independent failures. Called by the other ranks. */
    PlainMpi without(MpiComm communicator, RankMap ranks, IntSet leaving) throws MpiException {
        MpiFailures.requireRanks(leaving, ranks);
        RankMap staying = ranks.without(leaving.toIntArray());
        return new PlainMpi(library, subset(communicator, ranks, staying), staying);
    }

    private static MpiComm subset(MpiComm communicator, RankMap ranks, RankMap staying) throws MpiException {
        int[] members = new int[staying.size()];
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = ranks.currentRankOf(staying.originalRankOf(rank));
        }
        return communicator.subset(members, TAG);
    }

    @Override
    public boolean survivesFailures() {
        return false;
    }

    /** {@inheritDoc} Ends the job if this rank has left a collective call in which the others wait. */
    @Override
    public void requireSelfAlive() {
        if (failedHere) {
            throw new SimulatedFailureError(OriginalRank.of(originalRank));
        }
        if (left) {
            throw endJob("this rank goes on after an exception in a collective call, in which the others wait for it");
        }
    }

    @Override
    public int simulatedFailures() {
        return failed.size();
    }

    /** Current ranks of those that have failed. */
    private IntSortedSet failedOf(RankMap ranks) {
        return new IntAVLTreeSet(failed.intStream().map(ranks::currentRankOf).filter(rank -> rank >= 0).toArray());
    }

    @Override
    public IntSortedSet failedRanks(MpiComm communicator, RankMap ranks) {
        return failedOf(ranks);
    }

    @Override
    public IntSortedSet missingRanks(MpiComm communicator, RankMap ranks, MpiComm shrunk) {
        return failedOf(ranks);
    }

    /** {@inheritDoc} Always false: other ranks can't revoke it. */
    @Override
    public boolean isRevoked(MpiComm communicator) {
        return false;
    }

    /** {@inheritDoc} The caller has checked that no rank of the communicator has failed. */
    @Override
    public void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException {
        communicator.startAnd(agreement, flags);
    }

    private boolean isOfAllAlive(RankMap ranks) {
        return ranks.size() - failedOf(ranks).size() == aliveRanks.size();
    }

    /** Makes ranks fail, after completing pending operations; see {@link org.restorej.comm.FailureSimulation#fail}. */
    @Override
    public void fail(MpiComm communicator, RankMap ranks, IntSet currentRanks) throws MpiException {
        if (!isOfAllAlive(ranks)) {
            throw new UnsupportedOperationException("fail in a group of " + ranks.size() + " of the "
                    + aliveRanks.size() + " ranks alive: this MPI can't lose a process, so all ranks alive make ranks "
                    + "fail together; on threads and with ULFM (bin/mpirun-java --ulfm) a group can do so by itself");
        }
        IntSortedSet failing = new IntAVLTreeSet(currentRanks.intStream().map(ranks::originalRankOf)
                .filter(rank -> aliveRanks.currentRankOf(rank) >= 0).toArray());
        IntSortedSet all = new IntAVLTreeSet(failed);
        all.addAll(failing);
        List<MpiCommunicator> concerned = MpiCommunicator.openOf(this)
                .filter(each -> failing.intStream().anyMatch(rank -> each.ranks().currentRankOf(rank) >= 0)).toList();
        endWhatIsUnderWay(concerned, all);
        if (failing.isEmpty()) {
            return;
        }
        failed = all;
        MpiComm before = alive;
        if (failing.contains(originalRank)) {
            for (MpiCommunicator each : concerned) {
                each.pending().cancelRequests();
            }
            before.free();
            failedHere = true;
            requireSelfAlive();
        }
        RankMap ranksBefore = aliveRanks;
        aliveRanks = ranksBefore.without(failedOf(ranksBefore).toIntArray());
        alive = subset(before, ranksBefore, aliveRanks);
        before.free();
    }

    /**
     * Completes pending operations. Receives and discards the messages that no rank will receive, so that their sends
     * complete and MPI no longer accesses the senders' memory.
     */
    private void endWhatIsUnderWay(List<MpiCommunicator> concerned, IntSortedSet failedThen) throws MpiException {
        // Not the hash code of the set: it is the sum of the ranks, so many sets have the same hash code.
        int digest = failedThen.intStream().map(rank -> HashCommon.murmurHash3(rank + 1)).sum();
        MpiOperation arrived = begin(FAIL | ComparedNumber.flagsOfDigest(digest));
        MpiOperation ended = null;
        long start = 0;
        while (ended == null || !ended.poll()) {
            if (start == 0 && arrived.poll()) {
                requireMet(arrived, FAIL,
                        "fail must be called by all ranks alive at the same point: another one shrinks, "
                                + "or its program has ended");
                if (!ComparedNumber.isSame(arrived.agreedFlags())) {
                    throw endJob("fail must be called with the same ranks by all ranks alive: on this one, original "
                            + "ranks " + failedThen + " would have failed then, on another one others");
                }
                start = System.nanoTime();
            }
            boolean idle = Background.isIdle();
            if (idle) {
                for (MpiCommunicator each : concerned) {
                    swallow(each.mpi());
                }
            } else {
                Background.progress();
            }
            if (ended == null && start != 0) {
                if (idle && concerned.stream().noneMatch(each -> each.pending().hasOthersThanReceives())) {
                    ended = begin(FAIL);
                } else if (System.nanoTime() - start > END_NANOS) {
                    throw endJob(
                            "fail: what this rank has begun does not end, such as an operation of a store, a message "
                                    + "or an agreement: all ranks must have begun it before they call fail");
                }
            }
        }
    }

    private void requireMet(MpiOperation all, int bit, String mistake) {
        if (!has(all, bit)) {
            throw endJob(mistake);
        }
    }

    /** Whether all ranks have set a flag. */
    private static boolean has(MpiOperation met, int flag) {
        return (met.agreedFlags() & flag) != 0;
    }

    private static void swallow(MpiComm communicator) throws MpiException {
        for (MpiComm.Message next; (next = communicator.probe(MpiComm.ANY_SOURCE, MpiComm.ANY_TAG)) != null;) {
            try (Arena arena = Arena.ofConfined()) {
                communicator.receiveNow(arena.allocate(next.bytes()), next);
            }
        }
    }

    /**
     * {@inheritDoc} Other ranks can't be interrupted in a call, so this ends the job. But it does nothing if all ranks
     * know of a failure or throw the same exception. If this rank has left a call in which the others wait,
     * its next call ends the job. The program's own MPI calls are not interrupted.
     */
    @Override
    public void revoke(MpiComm communicator, RankMap ranks, Throwable reason) {
        requireSelfAlive();
        if (!failedOf(ranks).isEmpty() || Settlement.isThrownByAll(reason)) {
            return;
        }
        if (Settlement.isLeft(reason)) {
            // The caller throws a more informative exception; if that doesn't end this rank, its next
            // call ends the job.
            left = true;
            throw new IllegalStateException("the others wait for this rank", reason);
        }
        throw endJob(reason);
    }

    private IllegalStateException endJob(String mistake) {
        return endJob(new IllegalStateException(mistake));
    }

    private IllegalStateException endJob(Throwable reason) {
        return RankEnd.abort(library, originalRank, reason);
    }

    @Override
    public MpiComm shrink(MpiComm communicator, RankMap ranks) throws MpiException {
        Background.end();
        if (isOfAllAlive(ranks)) {
            MpiOperation all = meet(SHRINK);
            if (inProgram && !has(all, SHRINK)) {
                throw new ProgramAbandonedError();
            }
            requireMet(all, SHRINK, "shrink must be called by all ranks alive: the program of another one has ended");
        }
        return subset(communicator, ranks, ranks.without(failedOf(ranks).toIntArray()));
    }

    /** Records that a program starts. */
    void beginProgram() {
        inProgram = true;
    }

    /** Whether the program has returned on all surviving ranks. Called by all of them. */
    boolean endProgram(boolean returned) throws MpiException {
        MpiOperation all;
        do {
            // A rank in shrink learns of the end here, abandons the program and joins the next meeting.
            all = returned ? meet(END_OF_PROGRAM | RETURNED) : meetLeft();
        } while (!has(all, END_OF_PROGRAM));
        inProgram = false;
        return has(all, RETURNED);
    }

    /** Waits until all ranks have reached their end. Called by all of them. */
    void awaitEnd() throws MpiException {
        if (!failedHere) {
            requireMet(meet(END_OF_JOB), END_OF_JOB,
                    "finish: other ranks wait for this one in shrink, so it can't leave: "
                            + "after a failure all ranks alive must shrink");
        }
        MpiOperation end = everybody.barrier(new MpiOperation());
        while (!end.poll()) {
            if (failedHere) {
                LockSupport.parkNanos(FAILED_PAUSE_NANOS);
            }
        }
    }

    /**
     * Joins the meeting with a time limit, because the others may wait for this rank in a group of {@code split}, where
     * they can't be notified.
     */
    private MpiOperation meetLeft() throws MpiException {
        MpiOperation all = begin(END_OF_PROGRAM);
        for (long start = System.nanoTime(); !all.poll(); Background.progress()) {
            if (System.nanoTime() - start > END_NANOS) {
                throw endJob("a failure has left the program of this rank, and on the others it doesn't end: "
                        + "they may wait for this rank in a group of split");
            }
        }
        return all;
    }

    private MpiOperation meet(int bits) throws MpiException {
        MpiOperation all = begin(bits);
        while (!all.poll()) {
            Background.progress();
        }
        return all;
    }

    private MpiOperation begin(int bits) throws MpiException {
        requireSelfAlive();
        return alive.startAnd(new MpiOperation(), bits);
    }
}

package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.comm.SimulatedDeathError;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * Which PEs of a group count as dead, where MPI itself can't lose a process; shared by all communicators of the group
 * in this process. All PEs are a group, and each one that {@code split} makes is another.
 *
 * <p>
 * All PEs of a group learn of a death there in the same call. The others whom it concerns are told by the dead PE, and
 * until they have left it out its process takes part in their agreements, in which all of them learn the same. Since a
 * communicator only ever loses dead PEs, the PEs alive are members of every communicator of the group: one MPI
 * communicator of theirs serves the agreement on all.
 */
final class SimulatedFailures {
    private final SimulatedProcess process;
    private final int originalRank;
    private final IntAVLTreeSet dead = new IntAVLTreeSet();
    private final List<SimulatedFailureCommunicator> open = new ArrayList<>();
    private final RankMap initialRanks;
    private final RevocationNotices notices;
    private int communicators;
    private int exclusions;
    /** Of whom no dead one has been left out later. */
    private MpiComm alive;
    private RankMap aliveRanks;
    /** How many of these are known to be dead. */
    private int deadAmongAlive;
    /** What this PE takes part in although it is dead. */
    private @Nullable SimulatedAgreement served;
    private boolean leftOut;
    /** Whether it was for an attempt of a program, which is over. */
    private boolean over;

    /**
     * Nobody is dead, and this process is in no other group.
     *
     * @param everybody a communicator of all processes that nobody else uses
     */
    SimulatedFailures(MpiComm everybody) throws MpiException {
        this(new SimulatedProcess(), everybody, RankMap.identity(everybody.size()));
    }

    /** Nobody of the group is dead; which original ranks it has says {@code ranks}. */
    SimulatedFailures(SimulatedProcess process, MpiComm everybody, RankMap ranks) throws MpiException {
        this.process = process;
        this.originalRank = ranks.originalRankOf(everybody.rank());
        this.alive = everybody;
        this.aliveRanks = ranks;
        this.initialRanks = ranks;
        this.notices = new RevocationNotices(communicatorOfAlive(), this::learn);
        process.joins(this);
    }

    SimulatedProcess process() {
        return process;
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

    private void learn(int deadRank) {
        learn(IntSortedSets.singleton(deadRank));
    }

    private void learn(IntCollection originalRanks) {
        dead.addAll(originalRanks);
        deadAmongAlive = 0;
        dead.forEach((int deadRank) -> deadAmongAlive += aliveRanks.currentRankOf(deadRank) >= 0 ? 1 : 0);
    }

    /** Whether somebody of a communicator of the group is dead. */
    boolean hasDead(RankMap ranks) {
        // Who is alive is in every communicator, so the number of PEs says it.
        return deadAmongAlive > 0 || ranks.size() > aliveRanks.size();
    }

    boolean selfIsDead() {
        return process.isDead();
    }

    /** Throws on a PE that is dead, as the contract of {@link SimulatedDeathError} says. */
    void requireSelfAlive() {
        if (process.isDead()) {
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
     * Counts PEs as dead from now on. Called by all PEs alive of the group with the same ranks; returns on the
     * survivors.
     *
     * @param originalRanks who dies
     */
    void fail(IntCollection originalRanks) throws MpiException {
        IntAVLTreeSet dying = new IntAVLTreeSet(originalRanks);
        dying.removeIf((int rank) -> aliveRanks.currentRankOf(rank) < 0);
        if (dying.isEmpty()) {
            return;
        }
        learn(dying);
        if (dying.contains(originalRank)) {
            // Together with the survivors: from then on nobody of the group needs this PE.
            completeExclusion();
            leftOut = true;
            process.diedIn(this);
            requireSelfAlive();
        }
        excludeDead();
    }

    /** Leaves the dead out. Called by all PEs alive of the group. */
    void excludeDead() throws MpiException {
        if (completeExclusion().someHaveLeft()) {
            throw new ProgramAbandonedError();
        }
        if (deadAmongAlive == 0) {
            return;
        }
        IntAVLTreeSet gone = new IntAVLTreeSet();
        for (int rank = 0; rank < aliveRanks.size(); rank++) {
            if (dead.contains(aliveRanks.originalRankOf(rank))) {
                gone.add(rank);
            }
        }
        RankMap survivors = aliveRanks.without(gone);
        // No two calls share their tag.
        alive = subset(alive, aliveRanks, survivors, ++exclusions);
        aliveRanks = survivors;
        deadAmongAlive = 0;
    }

    private SimulatedAgreement startAgreement(int flags, int about) throws MpiException {
        return SimulatedAgreement.start(alive, initialRanks, flags, about, dead);
    }

    private void complete(SimulatedAgreement agreement) throws MpiException {
        boolean complete;
        do {
            complete = isComplete(agreement);
        } while (!complete);
    }

    /** Whether all have come to an agreement; learns who is dead then, and does what others need of it until then. */
    boolean isComplete(SimulatedAgreement agreement) throws MpiException {
        try {
            if (!agreement.test()) {
                process.awaitOthers();
                return false;
            }
        } catch (MpiException | RuntimeException | Error interrupted) {
            UnfinishedOperations.keep(agreement.reduction());
            throw interrupted;
        }
        learn(agreement.dead());
        return true;
    }

    /** Waits for all: who is still in another agreement has missed this PE in it, and comes here then. */
    private SimulatedAgreement completeExclusion() throws MpiException {
        while (true) {
            SimulatedAgreement exclusion = startAgreement(-1, SimulatedAgreement.EXCLUSION);
            complete(exclusion);
            if (exclusion.isOfAll()) {
                return exclusion;
            }
        }
    }

    /** This PE has died in another group: tells the others of this one. */
    void tellOwnDeath() throws MpiException {
        if (!leftOut) {
            learn(originalRank);
            notices.tellDead(originalRank, peers());
        }
    }

    /** What a dead PE does now and then until everybody's end. */
    void serve() throws MpiException {
        notices.glanceInVain();
        for (SimulatedFailureCommunicator communicator : open) {
            communicator.swallow();
        }
        if (leftOut) {
            return;
        }
        SimulatedAgreement current = served == null
                ? SimulatedAgreement.startAsDead(alive, initialRanks, dead)
                : served;
        served = current;
        if (current.test()) {
            leftOut = current.excludes() && !current.someHaveLeft();
            served = null;
        }
    }

    /** A failure has escaped from the program to which this group was given: nothing of it is of use any more. */
    void giveUp() {
        for (SimulatedFailureCommunicator communicator : List.copyOf(open)) {
            communicator.revoke();
        }
    }

    /** The program to which this group was given is over on all PEs. */
    void isOver() {
        over = true;
    }

    /** What this PE does for the others of a group that it has given up, while it waits. */
    void answer() throws MpiException {
        SimulatedAgreement current = served == null
                ? SimulatedAgreement.startAgainst(alive, initialRanks, dead)
                : served;
        served = current.test() ? null : current;
    }

    /**
     * Decides by the flags of all PEs alive, as {@link #agree}; meanwhile does something else again and again.
     *
     * @param meanwhile may end in this PE's death, which then goes on to take part
     */
    int vote(int flags, Meanwhile meanwhile) throws MpiException {
        SimulatedAgreement vote = startAgreement(flags, SimulatedAgreement.VOTE);
        served = vote;
        while (!vote.test()) {
            process.awaitOthers();
            meanwhile.run();
        }
        served = null;
        learn(vote.dead());
        return vote.flags();
    }

    /** What is done while PEs vote. */
    interface Meanwhile {
        /** Does it once. */
        void run() throws MpiException;
    }

    /** What this PE does while it waits for others. */
    void glanceAndSwallow() throws MpiException {
        notices.glanceInVain();
        for (SimulatedFailureCommunicator communicator : open) {
            if (!communicator.isQuiet()) {
                communicator.swallow();
            }
        }
    }

    /** Throws when this PE can't come to its end, since others wait for it. */
    void requireNotAwaited() {
        if (!over && notices.isAwaited()) {
            throw new IllegalStateException(
                    "finish: other PEs wait for this one in shrink, so it can't leave: after a "
                            + "failure or a revocation all PEs alive must shrink");
        }
    }

    /**
     * An MPI communicator of some of the processes of another; called by those.
     *
     * @param ranks of the other one
     * @param staying ranks of the new one
     * @param tag not used by a call for other processes at the same time
     */
    static MpiComm subset(MpiComm mpi, RankMap ranks, RankMap staying, int tag) throws MpiException {
        int[] members = new int[staying.size()];
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = ranks.currentRankOf(staying.originalRankOf(rank));
        }
        return mpi.subset(members, tag);
    }

    /**
     * Starts to agree on the bitwise and of flags. Called by all PEs alive of the group; no flags are left where one of
     * them is in another agreement meanwhile.
     *
     * @param communicator number of that which it is about
     * @param ranks of that
     */
    SimulatedPendingAgreement iAgree(int flags, int communicator, RankMap ranks) throws MpiException {
        return new SimulatedPendingAgreement(this, startAgreement(flags, communicator), ranks);
    }

    /**
     * Whether some PE of a communicator is dead, by what all PEs know with an agreement that is complete.
     *
     * @param ranks of the communicator
     */
    boolean someHaveFailed(SimulatedAgreement agreement, RankMap ranks) {
        // Not by what this PE knows: another one may know of less.
        return ranks.size() > aliveRanks.size()
                || agreement.dead().intStream().anyMatch(deadRank -> aliveRanks.currentRankOf(deadRank) >= 0);
    }

    /** A communicator of the PEs alive, who all call this. */
    MpiComm communicatorOfAlive() throws MpiException {
        return alive.duplicate();
    }

    RankMap aliveRanks() {
        return aliveRanks;
    }
}

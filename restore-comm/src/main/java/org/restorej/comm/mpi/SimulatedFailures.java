package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSets;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Background;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * Which PEs of a group count as failed, where MPI itself can't lose a process; shared by all communicators of the group
 * in this process. All PEs are a group, and each one that {@code split} makes is another. Since a communicator only
 * ever loses failed PEs, the PEs alive are members of every communicator of the group.
 *
 * <p>
 * All PEs of a group learn of a failure there in the same call. The others whom it concerns are told by the failed PE.
 *
 * <p>
 * To agree, the PEs tell one of them, and it answers all: the first of those who have not been left out. When it has
 * failed in another group, its process goes on to answer until the others have left it out. Then the next one gets to
 * know what is still pending, from each PE what that has begun. An agreement takes {@code O(P)} messages of that one,
 * and two one after the other of the others; and the time until it looks, see {@link NoticeChannel}.
 *
 * <p>
 * Communicators have numbers, the same on all PEs and never used again, since all make the same ones in the same order.
 * So a notice about a communicator that is closed already means nothing, and none can come before the communicator is
 * known.
 */
final class SimulatedFailures {
    private final SimulatedProcess process;
    private final int originalRank;
    private final NoticeChannel notices;
    private final AgreementRounds rounds;
    /** Original ranks; replaced by another one when this PE learns of more. */
    private IntSortedSet dead = IntSortedSets.EMPTY_SET;
    private final List<SimulatedComm> open = new ArrayList<>();
    /**
     * Closed after a failure or revocation, and not freed: others may wait for this PE to receive there, a failed one
     * long after the survivors have shrunk.
     */
    private final List<SimulatedComm> abandoned = new ArrayList<>();
    /** Of this PE, in the order in which it has begun them. */
    private final List<SimulatedPendingAgreement> pending = new ArrayList<>();
    /** Communicators in whose {@code shrink} others wait, and those in whose this PE has taken part. */
    private final IntOpenHashSet shrinking = new IntOpenHashSet();
    private final IntOpenHashSet shrunk = new IntOpenHashSet();
    private int communicators;
    private int exclusions;
    /** Of whom no failed one has been left out later. */
    private MpiComm alive;
    private RankMap aliveRanks;
    /** How many of these are known to have failed. */
    private int deadAmongAlive;
    /** Whether it was for an attempt of a program, which is over. */
    private boolean over;

    /**
     * Nobody has failed, and this process is in no other group.
     *
     * @param everybody a communicator of all processes that nobody else uses
     */
    SimulatedFailures(MpiComm everybody) throws MpiException {
        this(new SimulatedProcess(), everybody, RankMap.identity(everybody.size()));
    }

    /** Nobody of the group has failed; which original ranks it has says {@code ranks}. */
    SimulatedFailures(SimulatedProcess process, MpiComm everybody, RankMap ranks) throws MpiException {
        this.process = process;
        this.originalRank = ranks.originalRankOf(everybody.rank());
        this.alive = everybody;
        this.aliveRanks = ranks;
        this.notices = new NoticeChannel(mpiOfAlive(), ranks);
        this.rounds = new AgreementRounds(ranks);
        process.joins(this);
    }

    SimulatedProcess process() {
        return process;
    }

    /** Original ranks; never changes. */
    IntSortedSet dead() {
        return dead;
    }

    /** Whether somebody of a communicator of the group has failed. */
    boolean hasDead(RankMap ranks) {
        // Who is alive is in every communicator, so the number of PEs says it.
        return deadAmongAlive > 0 || ranks.size() > aliveRanks.size();
    }

    /** Throws on a PE that has failed, as the contract of {@link SimulatedFailureError} says. */
    void requireSelfAlive() {
        if (process.isDead()) {
            throw new SimulatedFailureError(OriginalRank.of(originalRank));
        }
    }

    /**
     * Takes note of a communicator.
     *
     * @return its number, the same on all PEs
     */
    int opened(SimulatedComm communicator) {
        open.add(communicator);
        return communicators++;
    }

    void closed(SimulatedComm communicator) {
        open.remove(communicator);
    }

    /** A communicator is closed after a failure or revocation. What comes there is thrown away until the program is over. */
    void abandoned(SimulatedComm communicator) {
        closed(communicator);
        abandoned.add(communicator);
    }

    /**
     * Counts PEs as failed from now on. Called by all PEs alive of the group with the same ranks; returns on the
     * survivors.
     *
     * @param originalRanks who fails
     */
    void fail(IntCollection originalRanks) throws MpiException {
        IntAVLTreeSet dying = new IntAVLTreeSet(originalRanks);
        dying.removeIf((int rank) -> aliveRanks.currentRankOf(rank) < 0);
        if (dying.isEmpty()) {
            return;
        }
        dying.addAll(dead);
        excludeDead(dying);
    }

    /** Leaves failed PEs out. Called by all PEs alive of the group. */
    void excludeDead() throws MpiException {
        excludeDead(dead);
    }

    /** All take part, those who fail in it too: then nobody needs them any more. */
    private void excludeDead(IntSet known) throws MpiException {
        SimulatedPendingAgreement exclusion = begin(new Notice(Notice.Kind.BEGUN, Notice.EXCLUSION, -1, known),
                aliveRanks);
        Notice answer = exclusion.await(Background::progress);
        IntSet excluded = answer.dead();
        if (excluded.contains(originalRank)) {
            process.die();
        }
        if (answer.flags() == 0) {
            throw new ProgramAbandonedError();
        }
        IntSet gone = new IntAVLTreeSet(excluded.intStream().map(aliveRanks::currentRankOf).filter(rank -> rank >= 0)
                .toArray());
        RankMap before = aliveRanks;
        aliveRanks = before.without(gone);
        countDeadAmongAlive();
        if (gone.contains(0)) {
            for (SimulatedPendingAgreement agreement : List.copyOf(pending)) {
                tellWhoAnswers(agreement.begun());
            }
        }
        awaitSurvivors();
        if (!gone.isEmpty()) {
            // No two calls share their tag.
            alive = subset(alive, before, aliveRanks, ++exclusions);
        }
    }

    /**
     * MPI makes communicators in calls that block, and one of the survivors may still be in a step of what it has in the
     * background, where it waits for the others to receive what it has given up.
     */
    private void awaitSurvivors() throws MpiException {
        begin(new Notice(Notice.Kind.BEGUN, Notice.EXCLUSION, -1, dead), aliveRanks).await(() -> {});
    }

    /**
     * Starts to agree on the bitwise and of flags; called by all PEs alive of the group.
     *
     * @param kind whether this PE does nothing else until then
     * @param communicator number of that which it is about
     * @param ranks of that
     */
    SimulatedPendingAgreement agree(Notice.Kind kind, int flags, int communicator, RankMap ranks)
            throws MpiException {
        return begin(new Notice(kind, communicator, flags, dead), ranks);
    }

    private SimulatedPendingAgreement begin(Notice begun, RankMap ranks) throws MpiException {
        SimulatedPendingAgreement agreement = new SimulatedPendingAgreement(this, begun, ranks);
        pending.add(agreement);
        tellWhoAnswers(begun);
        return agreement;
    }

    private void tellWhoAnswers(Notice notice) throws MpiException {
        tell(notice, IntSets.singleton(aliveRanks.originalRankOf(0)));
    }

    private void tellOthers(Notice notice) throws MpiException {
        IntList all = new IntArrayList(aliveRanks.size());
        for (int rank = 0; rank < aliveRanks.size(); rank++) {
            all.add(aliveRanks.originalRankOf(rank));
        }
        notices.tell(notice, all);
    }

    /** Itself last: it may then have more to tell. */
    private void tell(Notice notice, IntCollection receivers) throws MpiException {
        notices.tell(notice, receivers);
        if (receivers.contains(originalRank)) {
            receive(originalRank, notice);
        }
    }

    /** Receives what this PE has been told. */
    void look() throws MpiException {
        if (!over) {
            notices.look(this::receive);
        }
    }

    private void receive(int sender, Notice notice) throws MpiException {
        switch (notice.kind()) {
            case REVOKED -> open.forEach(communicator -> communicator.isToldOfRevocation(notice.about()));
            case SHRINKING -> shrinking.add(notice.about());
            case DEAD -> learn(IntSets.singleton(sender));
            case BEGUN, WAITING -> rounds.begin(sender, notice);
            case LEFT -> rounds.leave(sender);
            case AGREED -> {
                learn(notice.dead());
                agreed(notice);
            }
        }
        answer();
    }

    private void agreed(Notice answer) {
        for (SimulatedPendingAgreement agreement : pending) {
            if (agreement.begun().about() == answer.about()) {
                agreement.agreed(answer);
                pending.remove(agreement);
                return;
            }
        }
    }

    /** Answers those whose agreement is decided, when this PE is the one who does that. */
    private void answer() throws MpiException {
        AgreementRounds.Round round = rounds.decided(dead);
        while (round != null) {
            // With one failure more, others may be decided, and they come first.
            if (!learn(round.dead)) {
                rounds.remove(round);
                tell(new Notice(Notice.Kind.AGREED, round.about, round.flags, dead), round.begun);
            }
            round = rounds.decided(dead);
        }
    }

    private boolean learn(IntSet originalRanks) {
        if (dead.containsAll(originalRanks)) {
            return false;
        }
        IntSortedSet all = new IntAVLTreeSet(dead);
        all.addAll(originalRanks);
        dead = all;
        countDeadAmongAlive();
        return true;
    }

    private void countDeadAmongAlive() {
        deadAmongAlive = (int) dead.intStream().filter(deadRank -> aliveRanks.currentRankOf(deadRank) >= 0).count();
    }

    /** This PE has failed: tells the others, unless they know. */
    void tellOwnDeath() throws MpiException {
        if (!dead.contains(originalRank)) {
            tellOthers(Notice.of(Notice.Kind.DEAD, originalRank));
            learn(IntSets.singleton(originalRank));
            answer();
        }
    }

    /** This PE has revoked a communicator. */
    void tellRevoked(int communicator) throws MpiException {
        tellOthers(Notice.of(Notice.Kind.REVOKED, communicator));
    }

    /** This PE waits for the others in {@code shrink}. */
    void tellShrinking(int communicator) throws MpiException {
        shrunk.add(communicator);
        tellOthers(Notice.of(Notice.Kind.SHRINKING, communicator));
    }

    /** A failure has escaped from the program to which this group was given: nothing of it is of use any more. */
    void giveUp() {
        try {
            for (SimulatedComm communicator : List.copyOf(open)) {
                communicator.revoke();
            }
            tellWhoAnswers(Notice.of(Notice.Kind.LEFT, 0));
        } catch (MpiException e) {
            throw new Mpi.CallException("giving up", e);
        }
    }

    /** The program to which this group was given is over on all PEs. */
    void isOver() {
        over = true;
        abandoned.clear();
    }

    /**
     * Receives and throws away what this PE is sent and will never receive: not what comes beside a failure, since two
     * PEs alive can exchange messages until the communicator is revoked. A PE that has heard of its own failure, and
     * still gives up what it had begun, is one of those that have failed.
     */
    void swallow() throws MpiException {
        boolean fails = process.isDead() || dead.contains(originalRank);
        for (SimulatedComm communicator : open) {
            if (fails || communicator.isKnownRevoked()) {
                communicator.swallow();
            }
        }
        for (SimulatedComm communicator : abandoned) {
            communicator.swallow();
        }
    }

    /** Whether others wait for this PE in {@code shrink}, as far as is known here. */
    boolean isAwaited() {
        return !over && !shrunk.containsAll(shrinking);
    }

    /** Throws when this PE can't come to its end, since others wait for it. */
    void requireNotAwaited() {
        if (isAwaited()) {
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

    /** A communicator of MPI of the PEs alive, who all call this. */
    MpiComm mpiOfAlive() throws MpiException {
        return alive.duplicate();
    }

    /** A communicator with these failures. */
    SimulatedComm communicatorOfAlive() throws MpiException {
        return new SimulatedComm(mpiOfAlive(), aliveRanks, this);
    }

    /** As {@link #communicatorOfAlive}, for a program. */
    MpiCommunicator communicator() throws MpiException {
        return new MpiCommunicator(communicatorOfAlive(), aliveRanks, new SimulatedUlfm(), WaitLimit.NONE, null);
    }
}

package org.restorej.comm.local;

import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** State that the PEs of one communicator share: mailboxes and the lists of collective calls. */
final class Context {
    private final ClusterRun run;
    private final RankMap ranks;
    private final Pe[] members;
    private final Mailbox[] mailboxes;
    /** Null when all members have started on their lists, so that finished rounds become garbage. */
    private @Nullable CollectiveRound firstCollective;
    private @Nullable SurvivorRound firstSurvivorRound;
    private final BitSet begun = new BitSet();
    private final AtomicBoolean revocationAnnounced = new AtomicBoolean();
    /** Number of failed PEs of the run when members were last checked, and none of them had failed. */
    private volatile int failuresElsewhere;
    private volatile boolean someMemberFailed;
    private final AtomicIntegerArray closedBy;
    private final @Nullable AttemptState attempt;

    Context(ClusterRun run, RankMap ranks) {
        this(run, ranks, null);
    }

    /**
     * Creates the shared state of a communicator.
     *
     * @param attempt of a program to which it belongs, if any
     */
    Context(ClusterRun run, RankMap ranks, @Nullable AttemptState attempt) {
        this.run = run;
        this.ranks = ranks;
        this.attempt = attempt;
        members = new Pe[ranks.size()];
        mailboxes = new Mailbox[ranks.size()];
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = run.pe(ranks.originalRankOf(rank));
            mailboxes[rank] = new Mailbox(members[rank]);
        }
        closedBy = new AtomicIntegerArray(members.length);
        firstCollective = new CollectiveRound(members.length);
        firstSurvivorRound = new SurvivorRound(this);
        run.register(this);
        if (attempt != null) {
            attempt.register(this);
        }
    }

    /** Creates another communicator of the same run and attempt. */
    Context derived(RankMap itsRanks) {
        return new Context(run, itsRanks, attempt);
    }

    @Nullable
    AttemptState attempt() {
        return attempt;
    }

    /** Whether agreements complete without a member. */
    boolean isGone(int currentRank) {
        return members[currentRank].hasFailed() || (attempt != null && attempt.hasReturned(members[currentRank]));
    }

    /** Whether a failure has ended the program on a member, which takes part in no further agreement. */
    boolean hasLeft(int currentRank) {
        return attempt != null && attempt.hasLeft(members[currentRank]);
    }

    ClusterRun run() {
        return run;
    }

    RankMap ranks() {
        return ranks;
    }

    int size() {
        return members.length;
    }

    Pe member(int currentRank) {
        return members[currentRank];
    }

    Mailbox mailbox(int currentRank) {
        return mailboxes[currentRank];
    }

    /** The starts of the lists of rounds. Called once by each member, when it gets its communicator. */
    synchronized Rounds begin(int currentRank) {
        Rounds rounds = new Rounds(Objects.requireNonNull(firstCollective), Objects.requireNonNull(firstSurvivorRound));
        begun.set(currentRank);
        if (begun.cardinality() == members.length) {
            firstCollective = null;
            firstSurvivorRound = null;
        }
        return rounds;
    }

    /**
     * A member's position in the lists of rounds.
     *
     * @param collective of calls of all PEs
     * @param survivors of calls of the survivors
     */
    record Rounds(CollectiveRound collective, SurvivorRound survivors) {}

    /** Whether any member has failed, noticed or not. */
    boolean hasFailedMember() {
        int failures = run.failures();
        if (someMemberFailed || failures == failuresElsewhere) {
            return someMemberFailed;
        }
        for (Pe member : members) {
            if (member.hasFailed()) {
                someMemberFailed = true;
                return true;
            }
        }
        failuresElsewhere = failures;
        return false;
    }

    /**
     * Whether a member that revokes this communicator must notify all others. Unless notices are delayed, one member is
     * enough: after a failure every member revokes, and notices from all to all would be P^2.
     */
    boolean announcesRevocation() {
        return run.network().delaysNotices() || revocationAnnounced.compareAndSet(false, true);
    }

    void signalMembers() {
        for (Pe member : members) {
            member.signal();
        }
    }

    /** Records that a member has closed it. */
    void closeBy(int currentRank) {
        closedBy.set(currentRank, 1);
        releaseIfUnused();
    }

    /** Releases it when all members have closed it or failed. */
    void releaseIfUnused() {
        for (int rank = 0; rank < members.length; rank++) {
            if (closedBy.get(rank) == 0 && !members[rank].hasFailed()) {
                return;
            }
        }
        run.unregister(this);
        if (attempt != null) {
            attempt.unregister(this);
        }
    }

    /** Withdraws messages of a PE that has failed, and returns when no PE reads its memory any more. */
    void dropMessagesFrom(Pe failed) {
        int source = ranks.currentRankOf(failed.originalRank().value());
        if (source < 0) {
            return;
        }
        for (Mailbox mailbox : mailboxes) {
            mailbox.dropMessagesFrom(source, run.network());
        }
    }

    int waitingMessages() {
        int messages = 0;
        for (Mailbox mailbox : mailboxes) {
            if (!mailbox.owner().hasFailed()) {
                messages += mailbox.waitingMessages();
            }
        }
        return messages;
    }

    /** Revokes it on a member, and notifies the others. */
    void revokeBy(Pe pe, int ownRank) {
        pe.perform(Operation.REVOKE, Operation.REVOKE, () -> {
            pe.detector().learnRevocation(this);
            if (!announcesRevocation()) {
                return ownRank;
            }
            for (int member = 0; member < size(); member++) {
                if (member != ownRank) {
                    member(member).detector().announceRevocation(this, run.network().noticeDelaySteps());
                    member(member).signal();
                }
            }
            return ownRank;
        });
    }
}

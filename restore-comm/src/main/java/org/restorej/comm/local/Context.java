package org.restorej.comm.local;

import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** What the PEs of one communicator share: mailboxes and the chains of collective calls. */
final class Context {
    private final ClusterRun run;
    private final RankMap ranks;
    private final Pe[] members;
    private final Mailbox[] mailboxes;
    /** Null when all members walk along their chains, so that rounds that are over are garbage. */
    private @Nullable CollectiveRound firstCollective;
    private @Nullable SurvivorRound firstSurvivorRound;
    private final BitSet begun = new BitSet();
    private final AtomicBoolean revocationAnnounced = new AtomicBoolean();
    /** How many PEs of the run had failed when members were last looked at, and none of them was one. */
    private volatile int failuresElsewhere;
    private volatile boolean someMemberFailed;
    private final AtomicIntegerArray closedBy;
    private final @Nullable AttemptState attempt;

    Context(ClusterRun run, RankMap ranks) {
        this(run, ranks, null);
    }

    /**
     * What PEs share.
     *
     * @param attempt of a program that it belongs to, if any
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

    /** Another one of the same run and attempt. */
    Context derived(RankMap itsRanks) {
        return new Context(run, itsRanks, attempt);
    }

    @Nullable
    AttemptState attempt() {
        return attempt;
    }

    /** Whether agreements go on without a member. */
    boolean isGone(int currentRank) {
        return members[currentRank].hasFailed() || (attempt != null && attempt.hasReturned(members[currentRank]));
    }

    /** Whether a member has given up all that it would agree on. */
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

    /** The chains of rounds from their beginnings; called once by each member, when it gets its communicator. */
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
     * Where a member is in the chains.
     *
     * @param collective of calls that all make
     * @param survivors of calls that survivors make
     */
    record Rounds(CollectiveRound collective, SurvivorRound survivors) {}

    /** Whether any member has failed, known or not. */
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
     * Whether a member that revokes this communicator tells all others: once is enough where notices aren't late. A
     * failure makes every member revoke it, and messages of all to all would be P^2.
     */
    boolean announcesRevocation() {
        return run.network().delaysNotices() || revocationAnnounced.compareAndSet(false, true);
    }

    void signalMembers() {
        for (Pe member : members) {
            member.signal();
        }
    }

    /** A member has closed it. */
    void closeBy(int currentRank) {
        closedBy.set(currentRank, 1);
        releaseIfUnused();
    }

    /** Lets go of it when all members have closed it or failed. */
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

    /** A PE has failed: takes back what must not arrive, and returns when nobody reads its memory any more. */
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

    /** A member revokes it, and tells the others. */
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

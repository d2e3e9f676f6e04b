package org.restorej.comm.local;

import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;

/** Why, as far as one PE knows, operations on one communicator can't succeed. Used by the thread of the PE. */
final class FailureView {
    private final FailureDetector knowledge;
    private final Context context;
    private int seenVersion = -1;
    private boolean memberKnownDead;
    private boolean revoked;

    FailureView(FailureDetector knowledge, Context context) {
        this.knowledge = knowledge;
        this.context = context;
    }

    static void throwIfAny(@Nullable RuntimeException obstacle) {
        if (obstacle != null) {
            throw obstacle;
        }
    }

    /** What is in the way of an operation with one peer, or null. */
    @Nullable
    RuntimeException withPeer(int peer, Object operation) {
        refresh();
        boolean peerKnownDead = memberKnownDead
                && knowledge.deadOriginalRanks().contains(context.ranks().originalRankOf(peer));
        return peerKnownDead && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** What is in the way of an operation that needs everybody, or null. */
    @Nullable
    RuntimeException withGroup(Object operation) {
        refresh();
        return memberKnownDead && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** What is in the way of any operation, or null. */
    @Nullable
    RuntimeException withRevocation(Object operation) {
        refresh();
        return revoked ? new CommunicatorRevokedException(operation.toString()) : null;
    }

    private ProcessFailedException processFailed(Object operation) {
        return new ProcessFailedException(operation.toString(), knownDeadMembers());
    }

    /** Takes notice of all members that are dead by now. */
    void learnDeaths() {
        for (int member = 0; member < context.size(); member++) {
            if (context.member(member).isDead()) {
                knowledge.learnDeath(context.member(member).originalRank().value());
            }
        }
    }

    SortedSet<OriginalRank> knownDeadMembers() {
        SortedSet<OriginalRank> members = new TreeSet<>();
        knowledge.deadOriginalRanks().forEach((int dead) -> {
            if (context.ranks().currentRankOf(dead) >= 0) {
                members.add(OriginalRank.of(dead));
            }
        });
        return members;
    }

    private void refresh() {
        if (seenVersion != knowledge.version()) {
            seenVersion = knowledge.version();
            memberKnownDead = !knownDeadMembers().isEmpty();
            revoked = knowledge.isRevoked(context);
        }
    }
}

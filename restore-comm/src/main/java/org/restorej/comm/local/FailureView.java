package org.restorej.comm.local;

import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;

/** Which operations on one communicator must fail, as far as one PE knows. Used by the thread of the PE. */
final class FailureView {
    private final FailureDetector detector;
    private final Context context;
    private int seenVersion = -1;
    private boolean memberKnownFailed;
    private boolean revoked;

    FailureView(FailureDetector detector, Context context) {
        this.detector = detector;
        this.context = context;
    }

    static void throwIfNotNull(@Nullable RuntimeException blockingFailure) {
        if (blockingFailure != null) {
            throw blockingFailure;
        }
    }

    /** What is in the way of an operation with one peer, or null. */
    @Nullable
    RuntimeException withPeer(int peer, Object operation) {
        refresh();
        boolean peerKnownFailed = memberKnownFailed
                && detector.failedOriginalRanks().contains(context.ranks().originalRankOf(peer));
        return peerKnownFailed && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** What is in the way of an operation that needs everybody, or null. */
    @Nullable
    RuntimeException withGroup(Object operation) {
        refresh();
        return memberKnownFailed && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** What is in the way of any operation, or null. */
    @Nullable
    RuntimeException withRevocation(Object operation) {
        return isRevoked() ? new CommunicatorRevokedException(operation.toString()) : null;
    }

    boolean isRevoked() {
        refresh();
        return revoked;
    }

    private ProcessFailedException processFailed(Object operation) {
        return new ProcessFailedException(operation.toString(), knownFailedMembers());
    }

    /** Takes notice of all members that have failed by now. */
    void learnFailures() {
        for (int member = 0; member < context.size(); member++) {
            if (context.member(member).hasFailed()) {
                detector.learnFailure(context.member(member).originalRank().value());
            }
        }
    }

    SortedSet<OriginalRank> knownFailedMembers() {
        SortedSet<OriginalRank> members = new TreeSet<>();
        detector.failedOriginalRanks().forEach((int failed) -> {
            if (context.ranks().currentRankOf(failed) >= 0) {
                members.add(OriginalRank.of(failed));
            }
        });
        return members;
    }

    private void refresh() {
        if (seenVersion != detector.version()) {
            seenVersion = detector.version();
            memberKnownFailed = !knownFailedMembers().isEmpty();
            revoked = detector.isRevoked(context);
        }
    }
}

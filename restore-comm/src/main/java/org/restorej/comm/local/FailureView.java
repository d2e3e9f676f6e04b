package org.restorej.comm.local;

import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;

/** Decides which operations on one communicator must fail, given what one PE knows. Used by the thread of the PE. */
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

    /** The exception for an operation with one peer, or null if it can proceed. */
    @Nullable
    RuntimeException withPeer(int peer, Object operation) {
        refresh();
        boolean peerKnownFailed = memberKnownFailed
                && detector.failedOriginalRanks().contains(context.ranks().originalRankOf(peer));
        return peerKnownFailed && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** The exception for an operation that needs all PEs, or null if it can proceed. */
    @Nullable
    RuntimeException withGroup(Object operation) {
        refresh();
        return memberKnownFailed && !revoked ? processFailed(operation) : withRevocation(operation);
    }

    /** The exception if the communicator is revoked, or null. */
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

    /** Makes all failures of members known to this PE. */
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

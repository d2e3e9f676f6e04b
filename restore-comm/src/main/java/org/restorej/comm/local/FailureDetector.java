package org.restorej.comm.local;

import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What one PE knows of failures and revocations, which may be less than what has happened. Used by the thread of its
 * PE; other threads only {@linkplain #announceFailure announce}.
 */
final class FailureDetector {
    private record Notice(long dueStep, int failedOriginalRank, @Nullable Context revoked) {}

    private final Queue<Notice> pending = new ConcurrentLinkedQueue<>();
    private final IntSortedSet failedOriginalRanks = new IntRBTreeSet();
    private final Set<Context> revoked = new HashSet<>();
    private volatile long step;
    private int version;

    /** Changes whenever this PE learns something. */
    int version() {
        return version;
    }

    IntSortedSet failedOriginalRanks() {
        return failedOriginalRanks;
    }

    boolean isRevoked(Context context) {
        return revoked.contains(context);
    }

    void announceFailure(int originalRank, int delaySteps) {
        pending.add(new Notice(step + delaySteps, originalRank, null));
    }

    void announceRevocation(Context context, int delaySteps) {
        pending.add(new Notice(step + delaySteps, -1, context));
    }

    void learnFailure(int originalRank) {
        if (failedOriginalRanks.add(originalRank)) {
            version++;
        }
    }

    void learnRevocation(Context context) {
        if (revoked.add(context)) {
            version++;
        }
    }

    /** Advances the PE's step counter, and takes the notices that are due. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written by the PE's own thread only
    void advance() {
        step++;
        if (pending.isEmpty()) {
            return;
        }
        for (Iterator<Notice> all = pending.iterator(); all.hasNext();) {
            Notice notice = all.next();
            if (notice.dueStep > step) {
                continue;
            }
            all.remove();
            if (notice.revoked != null) {
                learnRevocation(notice.revoked);
            } else {
                learnFailure(notice.failedOriginalRank);
            }
        }
    }
}

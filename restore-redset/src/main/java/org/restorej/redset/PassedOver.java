package org.restorej.redset;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.protocol.RedsetException;

/** The checkpoints that could not be had, newest first, and why; the same on all ranks. One thread. */
final class PassedOver {
    private static final System.Logger LOG = System.getLogger(PassedOver.class.getName());

    private final String operation;
    private final int rank;
    private final SortedMap<Long, String> reasons = new TreeMap<>();
    /** The newest that is not lost for good: to start anew because of it would throw it away. */
    private @Nullable String obstacle;

    /**
     * None so far.
     *
     * @param operation what looks for one
     * @param rank of this process: only one logs what all know
     */
    PassedOver(String operation, int rank) {
        this.operation = operation;
        this.rank = rank;
    }

    /** Notes one that has lost more than its redundancy can give back. */
    void lost(long id, String reason) {
        if (rank == 0) {
            LOG.log(System.Logger.Level.WARNING, "checkpoint {0} is passed over: {1}", Long.toString(id), reason);
        }
        reasons.merge(id, reason, (one, other) -> one + "; " + other);
    }

    /** Notes one that may be there, only not for these processes, now. */
    void unreachable(long id, String reason) {
        lost(id, reason);
        if (obstacle == null) {
            obstacle = "checkpoint " + id + ": " + reason;
        }
    }

    /** All of them, by id. */
    SortedMap<Long, String> reasons() {
        return reasons;
    }

    /** When there is no other checkpoint: throws on all ranks if one that was passed over may still be had otherwise. */
    void requireNoObstacle() {
        if (obstacle != null) {
            throw new RedsetException(operation, new TreeMap<>(Collections.singletonMap(0, obstacle)));
        }
    }
}

package org.restorej.redset;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checkpoints that could not be had, newest first, and why; the same on all ranks. One thread. */
final class SkippedCheckpoints {
    private static final System.Logger LOG = System.getLogger(SkippedCheckpoints.class.getName());

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
    SkippedCheckpoints(String operation, int rank) {
        this.operation = operation;
        this.rank = rank;
    }

    /**
     * Notes one that has lost more than its redundancy can give back.
     *
     * @param stores where this rank looked for it; only logged, since other ranks may have other names for that
     * @param reason the same on all ranks
     */
    void lost(long id, List<Path> stores, String reason) {
        if (rank == 0) {
            String places = stores.stream().map(Path::toString).collect(Collectors.joining(", "));
            LOG.log(System.Logger.Level.WARNING, "checkpoint {0} in {1} is passed over: {2}", Long.toString(id), places,
                    reason);
        }
        reasons.merge(id, reason, (one, other) -> one + "; " + other);
    }

    /** Notes one that may be there, only not for these processes, now; parameters as of {@link #lost}. */
    void unreachable(long id, List<Path> stores, String reason) {
        lost(id, stores, reason);
        if (obstacle == null) {
            obstacle = "checkpoint " + id + ": " + reason;
        }
    }

    /** All of them, by id. */
    SortedMap<Long, String> reasons() {
        return reasons;
    }

    /**
     * When there is no other checkpoint: throws on all ranks if one that was passed over may still be had otherwise.
     */
    void requireNoObstacle() {
        if (obstacle != null) {
            throw new RedsetException(operation, new TreeMap<>(Collections.singletonMap(0, obstacle)));
        }
    }
}

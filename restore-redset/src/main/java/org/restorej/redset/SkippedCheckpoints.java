package org.restorej.redset;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checkpoints that could not be recovered, with the reasons. The same on all ranks. Not thread-safe. */
final class SkippedCheckpoints {
    private static final System.Logger LOG = System.getLogger(SkippedCheckpoints.class.getName());

    private final String operation;
    private final int rank;
    private final SortedMap<Long, String> reasons = new TreeMap<>();
    /** The reason for skipping the newest checkpoint that may still be recovered. Starting afresh would lose it. */
    private @Nullable String obstacle;

    /**
     * Starts an empty list.
     *
     * @param operation that looks for a checkpoint
     * @param rank of the caller; only one rank logs
     */
    SkippedCheckpoints(String operation, int rank) {
        this.operation = operation;
        this.rank = rank;
    }

    /**
     * Adds a checkpoint that has lost more than its redundancy can rebuild.
     *
     * @param stores where this rank looked for it; only logged, since other ranks may have other paths
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

    /**
     * Adds a checkpoint that may be recovered by other ranks, or by these later; see {@link #lost} for the
     * parameters.
     */
    void unreachable(long id, List<Path> stores, String reason) {
        lost(id, stores, reason);
        if (obstacle == null) {
            obstacle = "checkpoint " + id + ": " + reason;
        }
    }

    /** Adds checkpoints that ranks skipped before a failure, with the reasons. Not logged again. */
    void addFormer(Map<Long, String> former) {
        reasons.putAll(former);
    }

    /** The reasons, by id. */
    SortedMap<Long, String> reasons() {
        return reasons;
    }

    /** Throws on all ranks if a skipped checkpoint may still be recovered in another way. */
    void requireNoObstacle() {
        if (obstacle != null) {
            throw new RedsetException(operation, obstacle);
        }
    }
}

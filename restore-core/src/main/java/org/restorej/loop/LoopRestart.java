package org.restorej.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Reduction;
import org.restorej.internal.program.JobState;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.loop.LoopStorage.Saved;

/**
 * Resumes a {@link CheckpointLoop} from the newest checkpoint that an earlier job of the same program has saved in any
 * level of storage, and that can be loaded. Not thread-safe.
 */
final class LoopRestart {
    private static final System.Logger LOG = System.getLogger(LoopRestart.class.getName());
    /** Flag: the loop of this PE has the shape of the checkpoint. */
    private static final int FITS = 1 << 1;

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final List<Earlier> all = new ArrayList<>();
    private String description = "";
    /** Whether an earlier job has left a checkpoint that is not yet restored. */
    private boolean resuming;

    /**
     * A level that may have checkpoints of earlier jobs.
     *
     * @param unwantedId of the newest checkpoint that is ignored because the job starts afresh; negative if none is
     */
    private record Earlier(LoopLevel level, long unwantedId) {}

    /** Thrown on all PEs, therefore printed once. */
    private static final class AnotherProgramException extends IllegalStateException implements KnownToAll {
        private static final long serialVersionUID = 1L;

        AnotherProgramException(String message) {
            super(message);
        }
    }

    LoopRestart(LoopCommunicator communicator, CheckpointData data) {
        this.communicator = communicator;
        this.data = data;
    }

    void describe(String text) {
        description = text;
    }

    /** Description of what the loop keeps, for comparison with a checkpoint. */
    List<String> shape() {
        List<String> shape = new ArrayList<>(data.shape());
        if (!description.isEmpty()) {
            shape.add("described as " + description);
        }
        return shape;
    }

    /**
     * Whether an earlier job has left a checkpoint; data are not initialized before it is tried. The same on all PEs.
     */
    boolean isResuming() {
        return resuming;
    }

    /**
     * Adds an open level. Collective.
     *
     * @return the maximum id of a checkpoint in it; 0 if there is none
     */
    long add(LoopLevel level) {
        long newest = level.open().newestBelow(Long.MAX_VALUE).orElse(-1);
        long unwanted = level.open().beginsAnew() ? newestBefore(level, newest) : -1;
        all.add(new Earlier(level, unwanted));
        resuming |= newest > unwanted;
        return Math.max(0, Math.max(newest, unwanted));
    }

    /**
     * Id of the newest checkpoint that existed when the job was first started. The first start records it for restarts;
     * a start without a record is the first one at this place. Collective.
     *
     * @param newest id that exists now
     */
    private long newestBefore(LoopLevel level, long newest) {
        long[] before = {Long.MAX_VALUE};
        if (communicator.isFirst()) {
            // Only the record of the first rank counts: other PEs may see another file, or none.
            OptionalLong noted = JobState.isRestart() ? JobState.noted(level.toString()) : OptionalLong.empty();
            if (noted.isEmpty()) {
                JobState.note(level.toString(), newest);
            }
            before[0] = noted.orElse(newest);
        }
        communicator.current().allReduce(before, Reduction.MIN);
        return before[0];
    }

    /**
     * Loads the newest saved iteration that can be loaded into the stores. Collective.
     *
     * @return empty, on all PEs, if there is none
     */
    Optional<Saved> restore() {
        all.forEach(each -> each.level().reopen());
        long[] bounds = new long[all.size()];
        Arrays.fill(bounds, Long.MAX_VALUE);
        Optional<Saved> restored = Optional.empty();
        while (restored.isEmpty()) {
            int best = -1;
            long bestId = -1;
            for (int index = 0; index < bounds.length; index++) {
                Earlier each = all.get(index);
                long newest = each.level().open().newestBelow(bounds[index]).orElse(-1);
                if (newest > Math.max(bestId, each.unwantedId())) {
                    best = index;
                    bestId = newest;
                }
            }
            if (best < 0) {
                all.forEach(each -> each.level().open().requireNothingOutOfReach());
                break;
            }
            bounds[best] = bestId;
            restored = restore(all.get(best).level(), bestId);
        }
        resuming = false;
        return restored;
    }

    private Optional<Saved> restore(LoopLevel level, long id) {
        Optional<Saved> found = level.open().find(id);
        if (found.isEmpty()) {
            return found;
        }
        Saved saved = found.get();
        requireSameShape(level, saved);
        for (int index = 0; index < data.stores().size(); index++) {
            if (!level.open().load(id, index, data.stores().get(index))) {
                return Optional.empty();
            }
        }
        all.forEach(each -> each.level().beginsWith(saved.iteration(), each.level().equals(level)));
        if (communicator.isFirst()) {
            LOG.log(System.Logger.Level.INFO, "going on from iteration {0}, {1}", Long.toString(saved.iteration()),
                    saved.origin());
        }
        return found;
    }

    private void requireSameShape(LoopLevel level, Saved saved) {
        Meeting meeting = communicator.meet();
        List<String> own = shape();
        boolean fits = own.equals(saved.shape());
        // Settled, because a PE that threw alone would leave the others waiting for its share of the blocks.
        if (!meeting.settle(() -> {}, "comparing a checkpoint with a loop",
                () -> new Outcome<>(fits ? FITS : 0, own)).has(FITS)) {
            throw new AnotherProgramException("checkpoint " + saved.id() + " in " + level
                    + " is of another program: it has " + saved.shape() + ", and this loop keeps "
                    + (fits ? "that here, and something else on another PE" : own));
        }
    }
}

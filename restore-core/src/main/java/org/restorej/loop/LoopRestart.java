package org.restorej.loop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.RankMap;
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

    /** Of each place, what {@link #newestBefore} has returned in this process: programs are restarted on survivors. */
    private static final Map<String, Long> NEWEST_BEFORE = new ConcurrentHashMap<>();

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final List<Earlier> all = new ArrayList<>();
    private String description = "";
    /** Whether an earlier job has left a checkpoint that is not yet restored. */
    private boolean resuming;

    /** A level that may have checkpoints of earlier jobs. */
    private static final class Earlier {
        final LoopLevel level;
        /** Id of the newest checkpoint that is ignored because the job starts afresh; negative if none is. */
        final long unwantedId;
        private long bound = Long.MAX_VALUE;
        /** The newest one that was found and not tried. */
        private @Nullable Saved newest;

        Earlier(LoopLevel level, long unwantedId) {
            this.level = level;
            this.unwantedId = unwantedId;
        }

        /** Finds the newest checkpoint that is older than the last one found. Called by all PEs. */
        void findNext() {
            newest = null;
            while (newest == null) {
                long id = level.open().newestBelow(bound).orElse(-1);
                if (id <= unwantedId) {
                    break;
                }
                bound = id;
                newest = level.open().find(id).orElse(null);
            }
        }
    }

    /** Thrown on all PEs, therefore printed once. */
    static final class AnotherProgramException extends IllegalStateException implements KnownToAll {
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
        if (text.indexOf(0) >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "text must have no NUL and no half of a surrogate pair, since it is saved "
                            + "in UTF-8: text=" + text);
        }
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
        long unwanted = level.open().startsFresh() ? newestBefore(level, newest) : -1;
        all.add(new Earlier(level, unwanted));
        resuming |= newest > unwanted;
        return Math.max(0, Math.max(newest, unwanted));
    }

    /**
     * Id of the newest checkpoint that existed when the job was first started. The first start records it for restarts,
     * by the launcher and by survivors; a start without a record is the first one at this place. Collective.
     *
     * @param newest id that exists now
     */
    private long newestBefore(LoopLevel level, long newest) {
        long[] before = {Long.MAX_VALUE};
        RankMap ranks = communicator.current().ranks();
        Long ofThisProcess = ranks.size() < ranks.originalSize() ? NEWEST_BEFORE.get(level.toString()) : null;
        if (ofThisProcess != null) {
            before[0] = ofThisProcess;
        } else if (communicator.isFirst()) {
            // Only the record of the first rank counts: other PEs may see another file, or none.
            OptionalLong noted = JobState.isRestart() ? JobState.noted(level.toString()) : OptionalLong.empty();
            if (noted.isEmpty()) {
                JobState.note(level.toString(), newest);
            }
            before[0] = noted.orElse(newest);
        }
        communicator.current().allReduce(before, Reduction.MIN);
        NEWEST_BEFORE.put(level.toString(), before[0]);
        return before[0];
    }

    /**
     * Loads the newest saved iteration that can be loaded into the stores. Collective.
     *
     * @return empty, on all PEs, if there is none
     */
    Optional<Saved> restore() {
        for (Earlier each : all) {
            each.level.reopen();
            // A failure may have ended an earlier try.
            each.bound = Long.MAX_VALUE;
            each.findNext();
        }
        while (true) {
            // Ids don't tell which of two levels is newer: jobs may have used one of them only.
            Earlier best = null;
            Saved newest = null;
            for (Earlier each : all) {
                Saved saved = each.newest;
                if (saved != null && (newest == null || saved.savedMillis() > newest.savedMillis())) {
                    best = each;
                    newest = saved;
                }
            }
            if (best == null || newest == null) {
                all.forEach(each -> each.level.open().requireNothingOutOfReach());
                resuming = false;
                return Optional.empty();
            }
            if (isRestored(best.level, newest)) {
                resuming = false;
                return Optional.of(newest);
            }
            best.findNext();
        }
    }

    private boolean isRestored(LoopLevel level, Saved saved) {
        requireSameShape(level, saved);
        for (int index = 0; index < data.stores().size(); index++) {
            if (!level.open().load(saved.id(), index, data.stores().get(index))) {
                return false;
            }
        }
        all.forEach(each -> each.level.beginsWith(saved.iteration(), each.level.equals(level)));
        if (communicator.isFirst()) {
            LOG.log(System.Logger.Level.INFO, "going on from iteration {0}, {1}", Long.toString(saved.iteration()),
                    saved.origin());
        }
        return true;
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

package org.restorej.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Reduction;
import org.restorej.internal.program.JobState;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.loop.LoopStorage.Saved;

/**
 * The levels of storage of a {@link CheckpointLoop}. Decides what is saved when, from where a job resumes, and when it
 * ends to be continued. PEs vote on these decisions together with the times of iterations; votes count once the
 * iterations are settled. Not thread-safe.
 */
final class LoopLevels {
    private static final System.Logger LOG = System.getLogger(LoopLevels.class.getName());
    /** Number of votes for each level, see {@link #vote}. */
    private static final int VOTES = 3;
    /** Flag: this PE has opened a level, or its loop has the shape of the checkpoint. */
    private static final int FITS = 1 << 1;

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final List<LoopLevel> levels = new ArrayList<>();
    private String description = "";
    private final LoopEnd end = new LoopEnd();
    private long nextId = 1;
    /** Whether an earlier job has left a checkpoint that is not yet restored. */
    private boolean resuming;
    private boolean stopDecided;
    private @Nullable ToBeContinuedException ended;

    /** Thrown on all PEs, therefore printed once. */
    private static final class AnotherProgramException extends IllegalStateException implements KnownToAll {
        private static final long serialVersionUID = 1L;

        AnotherProgramException(String message) {
            super(message);
        }
    }

    LoopLevels(LoopCommunicator communicator, CheckpointData data) {
        this.communicator = communicator;
        this.data = data;
    }

    /** See {@link CheckpointLoop#endBefore}. */
    void endBefore(Instant when) {
        end.setTo(when);
    }

    void describe(String text) {
        description = text;
    }

    boolean isEmpty() {
        return levels.isEmpty();
    }

    /** Whether a save that a failure has interrupted is to be repeated. The same on all survivors. */
    boolean isCutOff() {
        return levels.stream().anyMatch(level -> level.cutOff);
    }

    /**
     * Whether an earlier job has left a checkpoint; data are not initialized before it is tried. The same on all PEs.
     */
    boolean isResuming() {
        return resuming;
    }

    /** Adds a level that is more durable than the previous ones. Collective. */
    void add(LoopStorage storage, CheckpointInterval interval) {
        if (levels.stream().anyMatch(other -> other.storage.toString().equals(storage.toString()))) {
            throw new IllegalArgumentException("levels must be in different places: storage=" + storage);
        }
        LoopLevel level = new LoopLevel(storage, interval);
        LoopStorage.Level open = storage.open(communicator.current());
        level.open = open;
        levels.add(level);
        OptionalLong newest = open.newestBelow(Long.MAX_VALUE);
        if (open.beginsAnew()) {
            level.unwantedId = newestBefore(storage, newest.orElse(-1));
        }
        nextId = Math.max(nextId, Math.max(newest.orElse(0), level.unwantedId) + 1);
        resuming |= newest.orElse(-1) > level.unwantedId;
    }

    /**
     * Id of the newest checkpoint that existed when the job was first started. The first start records it for restarts;
     * a start without a record is the first one at this place. Collective.
     *
     * @param newest id that exists now
     */
    private long newestBefore(LoopStorage storage, long newest) {
        long[] before = {Long.MAX_VALUE};
        if (isFirst()) {
            // Only the record of the first rank counts: other PEs may see another file, or none.
            OptionalLong noted = JobState.isRestart() ? JobState.noted(storage.toString()) : OptionalLong.empty();
            if (noted.isEmpty()) {
                JobState.note(storage.toString(), newest);
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
        long[] bounds = new long[levels.size()];
        Arrays.fill(bounds, Long.MAX_VALUE);
        reopen();
        while (true) {
            int best = -1;
            long bestId = -1;
            for (int index = 0; index < bounds.length; index++) {
                LoopLevel level = levels.get(index);
                long newest = level.open().newestBelow(bounds[index]).orElse(-1);
                if (newest > Math.max(bestId, level.unwantedId)) {
                    best = index;
                    bestId = newest;
                }
            }
            if (best < 0) {
                levels.forEach(level -> level.open().requireNothingOutOfReach());
                resuming = false;
                return Optional.empty();
            }
            bounds[best] = bestId;
            Optional<Saved> restored = restore(levels.get(best), bestId);
            if (restored.isPresent()) {
                resuming = false;
                return restored;
            }
        }
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
        levels.forEach(each -> each.savedIteration = saved.iteration());
        level.completeIteration = saved.iteration();
        if (isFirst()) {
            LOG.log(System.Logger.Level.INFO, "going on from iteration {0}, {1}", Long.toString(saved.iteration()),
                    saved.origin());
        }
        return found;
    }

    private boolean isFirst() {
        return communicator.current().rank() == 0;
    }

    private void requireSameShape(LoopLevel level, Saved saved) {
        Meeting meeting = communicator.meet();
        List<String> own = shape();
        boolean fits = own.equals(saved.shape());
        // Settled, because a PE that threw alone would leave the others waiting for its share of the blocks.
        if (!meeting.settle(() -> {}, "comparing a checkpoint with a loop",
                () -> new Outcome<>(fits ? FITS : 0, own)).has(FITS)) {
            throw new AnotherProgramException("checkpoint " + saved.id() + " in " + level.storage
                    + " is of another program: it has " + saved.shape() + ", and this loop keeps "
                    + (fits ? "that here, and something else on another PE" : own));
        }
    }

    private List<String> shape() {
        List<String> shape = new ArrayList<>(data.shape());
        if (!description.isEmpty()) {
            shape.add("described as " + description);
        }
        return shape;
    }

    /** Number of votes that levels add to those on times. */
    int votes() {
        return levels.isEmpty() ? 0 : VOTES * levels.size() + 1;
    }

    /**
     * Sets the votes of this PE after an iteration; the maximum over all PEs counts.
     *
     * @param votes receives, from index {@code place} on, for each level whether it is due, whether it still writes and
     *         the seconds that a save takes; and finally whether the job should end
     * @param seconds duration of the iterations since the last generation
     */
    void vote(double[] votes, int place, long iteration, double seconds) {
        int next = place;
        boolean stops = false;
        for (LoopLevel level : levels) {
            LoopStorage.Level open = level.open;
            votes[next++] = level.isDue(iteration) || isUnmeasured(level) ? 1 : 0;
            votes[next++] = open == null || open.isWritten() ? 0 : 1;
            votes[next++] = level.costSeconds;
            // Only one PE asks, to spare a shared file system.
            stops |= open != null && isFirst() && open.isStopRequested();
        }
        if (!levels.isEmpty()) {
            votes[next] = stops || end.isNear(seconds + levels.stream().mapToDouble(level -> level.costSeconds).sum())
                    ? 1
                    : 0;
        }
    }

    /**
     * Whether the cost of a save is unknown although the end of the job is known. It is measured once, so that the last
     * save starts in time.
     */
    private boolean isUnmeasured(LoopLevel level) {
        return level.equals(levels.getLast()) && level.costSeconds == 0 && end.isKnown();
    }

    /** Applies the maximum of the votes. */
    void decide(double[] votes, int place) {
        int next = place;
        for (LoopLevel level : levels) {
            level.dueDecided = votes[next++] > 0;
            level.writtenDecided = votes[next++] == 0;
            level.costSeconds = votes[next++];
        }
        stopDecided = !levels.isEmpty() && votes[next] > 0;
    }

    /** Writes the prepared generation to the levels that are due. Collective if the job ends or levels are reopened. */
    void write(Checkpoint checkpoint) {
        if (stopDecided) {
            complete(true);
            levels.getLast().dueDecided = true;
        }
        for (LoopLevel level : levels) {
            if (level.open == null && (level.dueDecided || !level.refused)) {
                reopen(level);
            }
            if (level.dueDecided && level.open != null) {
                begin(level, checkpoint);
            }
            level.dueDecided = false;
            level.cutOff = false;
        }
    }

    /**
     * Throws nothing, because the other PEs proceed to the submit. If this PE writes nothing, completing the save
     * fails.
     */
    private void begin(LoopLevel level, Checkpoint checkpoint) {
        long began = System.nanoTime();
        long id = nextId++;
        level.pending = true;
        level.writtenDecided = false;
        level.savedIteration = checkpoint.iteration();
        level.savedNanos = began;
        try {
            level.open().write(new Saved(id, checkpoint.iteration(), shape(), checkpoint.values(), ""),
                    checkpoint.savedBlocks());
        } catch (RuntimeException | Error own) {
            warn(level, checkpoint.iteration(), own);
        }
        level.costSeconds = (System.nanoTime() - began) * 1e-9;
    }

    private void reopen() {
        for (LoopLevel level : levels) {
            if (level.open == null) {
                level.open = level.storage.open(communicator.current());
            }
        }
    }

    /** Opens a level on the survivors: on all of them or on none. Keeps other jobs out of it. Collective. */
    private void reopen(LoopLevel level) {
        boolean opened = communicator.meet().settle(() -> {}, "opening a level again", () -> {
            try {
                level.open = level.storage.open(communicator.current());
                return new Outcome<>(FITS, level);
            } catch (CommunicationFailedException failure) {
                throw failure;
            } catch (RuntimeException refused) {
                warn(level, level.savedIteration, refused);
                return new Outcome<>(0, level);
            }
        }).has(FITS);
        level.refused = !(opened && isAlone(level));
        if (level.refused) {
            level.close();
        }
    }

    /** Whether the level could be locked against other jobs; the same on all PEs. Updates the next id. Collective. */
    private boolean isAlone(LoopLevel level) {
        try {
            nextId = Math.max(nextId, level.open().newestBelow(Long.MAX_VALUE).orElse(0) + 1);
            return true;
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (RuntimeException refused) {
            warn(level, level.savedIteration, refused);
            return false;
        }
    }

    /**
     * Completes saves that are written on all PEs. Collective.
     *
     * @param all whether to wait for those that are not written yet, too
     */
    void complete(boolean all) {
        for (LoopLevel level : levels) {
            if (level.pending && (all || stopDecided || level.writtenDecided || !data.isSubmittedInBackground())) {
                long began = System.nanoTime();
                Optional<String> failure = level.open().complete();
                level.pending = false;
                level.costSeconds += (System.nanoTime() - began) * 1e-9;
                if (failure.isPresent()) {
                    if (isFirst()) {
                        warn(level, level.savedIteration, failure.get());
                    }
                } else {
                    level.completeIteration = level.savedIteration;
                }
            }
        }
    }

    /** Logs an exception that other PEs may not have. */
    private void warn(LoopLevel level, long iteration, Throwable own) {
        try {
            warn(level, iteration, "PE " + communicator.current().originalRank().value() + " has met " + own);
        } catch (RuntimeException | Error untold) {
            // Out of memory: the warning is dropped.
        }
    }

    private static void warn(LoopLevel level, long iteration, String reason) {
        LOG.log(System.Logger.Level.WARNING,
                "iteration {0} can''t be saved in {1}, and the loop goes on in memory: {2}",
                Long.toString(iteration), level.storage.toString(), reason);
    }

    /**
     * Ends the job if that was decided. The same on all PEs.
     *
     * @throws ToBeContinuedException when there is a checkpoint to resume from
     */
    void endIfDecided() {
        if (stopDecided && canContinue()) {
            // Levels that could not be reopened after a failure have seen no request to stop.
            for (LoopLevel level : levels) {
                LoopStorage.Level open = level.open;
                if (open != null) {
                    open.acknowledgeStop();
                }
            }
            throw ended(JobState.End.STOPPED, "the job ends before it is complete", null);
        }
        stopDecided = false;
    }

    /** Whether a later job can resume from a checkpoint. The same on all PEs. */
    boolean canContinue() {
        return newestComplete() >= 0;
    }

    private long newestComplete() {
        return levels.stream().mapToLong(level -> level.completeIteration).max().orElse(-1);
    }

    /** Ends the job because blocks are lost that a later job can load. */
    ToBeContinuedException lost(Throwable loss) {
        return ended(JobState.End.LOST, String.valueOf(loss.getMessage()), loss);
    }

    private ToBeContinuedException ended(JobState.End reason, String why, @Nullable Throwable cause) {
        ToBeContinuedException thrown = new ToBeContinuedException(
                why + "; started again, it goes on from iteration " + newestComplete());
        if (cause != null) {
            thrown.initCause(cause);
        }
        if (isFirst()) {
            JobState.write(reason, newestComplete());
        }
        ended = thrown;
        return thrown;
    }

    /** Rethrows what has ended the job. */
    void throwEnd() {
        if (ended != null) {
            throw ended;
        }
    }

    /** Resets decisions and unfinished saves after a failure, and closes the levels; the survivors reopen them. */
    void failed() {
        stopDecided = false;
        for (LoopLevel level : levels) {
            level.cutOff |= level.pending;
            level.pending = false;
            level.dueDecided = false;
            level.writtenDecided = false;
            level.refused = false;
        }
        close();
    }

    /** Closes all levels without waiting for other PEs. */
    void close() {
        levels.forEach(LoopLevel::close);
    }
}

package org.restorej.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.internal.message.Completely;
import org.restorej.internal.program.JobState;
import org.restorej.internal.settlement.Outcome;

/**
 * The levels of storage of a {@link CheckpointLoop}. Decides what is saved when, and when the job ends to be continued.
 * PEs vote on these decisions together with the times of iterations; votes count once the iterations are settled. Not
 * thread-safe.
 */
final class LoopLevels {
    /** Flag: this PE has opened a level. */
    private static final int OPENED = 1 << 1;
    /** Places in which loops of a program save, by the communicators of these loops. */
    private static final Map<Communicator, Set<String>> PLACES = Collections.synchronizedMap(new WeakHashMap<>());

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final List<LoopLevel> levels = new ArrayList<>();
    private final LoopRestart restart;
    private final LoopEnd end = new LoopEnd();
    private long nextId = 1;
    /** Whether a user has requested the end of the job. Like {@link #timeOver}, the same on all PEs. */
    private boolean stopRequested;
    /** Whether the time of the job is almost over. */
    private boolean timeOver;
    /** The iteration that was to be saved before the end. */
    private long endIteration;
    private @Nullable ToBeContinuedException ended;

    LoopLevels(LoopCommunicator communicator, CheckpointData data) {
        this.communicator = communicator;
        this.data = data;
        restart = new LoopRestart(communicator, data);
    }

    /** See {@link CheckpointLoop#endBefore}. */
    void endBefore(Instant when) {
        end.setTo(when);
    }

    /** The checkpoint of an earlier job. */
    LoopRestart restart() {
        return restart;
    }

    boolean isEmpty() {
        return levels.isEmpty();
    }

    /** Whether a save that a failure has interrupted is to be repeated. The same on all survivors. */
    boolean isCutOff() {
        return levels.stream().anyMatch(LoopLevel::isCutOff);
    }

    /** Adds a level that is more durable than the previous ones. Collective. */
    void add(LoopStorage storage, CheckpointInterval interval) {
        if (levels.stream().anyMatch(other -> other.toString().equals(storage.toString()))) {
            throw new IllegalArgumentException("levels must be in different places: storage=" + storage);
        }
        Set<String> places = PLACES.computeIfAbsent(communicator.current(), _ -> ConcurrentHashMap.newKeySet());
        if (places.contains(storage.toString())) {
            throw new IllegalArgumentException(
                    "another loop of this program saves in the same place, and each would go "
                            + "on from what the other has saved: a loop needs a name of its own, storage=" + storage);
        }
        LoopLevel level = new LoopLevel(storage, interval, communicator);
        level.reopen();
        levels.add(level);
        places.add(storage.toString());
        if (!JobState.isRestart()) {
            // A request that is older than the job was not meant for it.
            level.open().acknowledgeStop(false);
        }
        nextId = Math.max(nextId, restart.add(level) + 1);
    }

    /** Number of votes that levels add to those on times. */
    int votes() {
        return levels.isEmpty() ? 0 : LoopLevel.VOTES * levels.size() + 2;
    }

    /**
     * Sets the votes of this PE after an iteration; the maximum over all PEs counts.
     *
     * @param votes receives, from index {@code place} on, those of each level, and finally whether a user has requested
     *         the end of the job, and whether its time is almost over
     * @param seconds duration of the iterations since the last generation
     */
    void vote(double[] votes, int place, long iteration, double seconds) {
        if (levels.isEmpty()) {
            return;
        }
        int next = place;
        boolean stops = false;
        double saving = 0;
        for (LoopLevel level : levels) {
            level.vote(votes, next, iteration, isUnmeasured(level));
            next += LoopLevel.VOTES;
            saving += level.costSeconds();
            // Only one PE asks, to spare a shared file system.
            stops |= level.isOpen() && communicator.isFirst() && level.open().isStopRequested();
        }
        votes[next] = stops ? 1 : 0;
        votes[next + 1] = end.isNear(seconds + saving) ? 1 : 0;
    }

    /**
     * Whether the cost of a save is unknown although the end of the job is known. It is measured once, so that the last
     * save starts in time.
     */
    private boolean isUnmeasured(LoopLevel level) {
        return level.equals(levels.getLast()) && level.costSeconds() == 0 && end.isKnown();
    }

    /** Applies the maximum of the votes. */
    void decide(double[] votes, int place) {
        int next = place;
        for (LoopLevel level : levels) {
            level.decide(votes, next);
            next += LoopLevel.VOTES;
        }
        stopRequested = !levels.isEmpty() && votes[next] > 0;
        timeOver = !levels.isEmpty() && votes[next + 1] > 0;
    }

    /**
     * Writes the prepared generation to the levels that are due; before the end of the job, to the most durable one that
     * can save it. Collective if the job ends or levels are reopened.
     *
     * @param converged whether a step has returned false in the last iteration
     */
    void write(Checkpoint checkpoint, boolean converged) {
        if (!isEndDecided()) {
            levels.forEach(level -> writeIfDue(level, checkpoint, converged));
            return;
        }
        endIteration = checkpoint.iteration();
        complete(true);
        for (LoopLevel level : levels.reversed()) {
            if (newestComplete() < endIteration) {
                level.makeDue();
                writeIfDue(level, checkpoint, converged);
                level.complete(true);
            }
        }
    }

    private void writeIfDue(LoopLevel level, Checkpoint checkpoint, boolean converged) {
        if (level.isToBeReopened()) {
            level.reopened(isOpenedByAll(level) && isAlone(level), checkpoint.iteration());
        }
        if (level.takeDue()) {
            level.write(nextId++, checkpoint, converged, restart);
        }
    }

    /** Opens a level on the survivors: on all of them or on none. Keeps other jobs out of it. Collective. */
    private boolean isOpenedByAll(LoopLevel level) {
        return communicator.meet().settle(() -> {}, "opening a level again", () -> {
            try {
                level.reopen();
                return new Outcome<>(OPENED, level);
            } catch (CommunicationFailedException failure) {
                throw failure;
            } catch (RuntimeException refused) {
                level.warn(refused);
                return new Outcome<>(0, level);
            }
        }).has(OPENED);
    }

    /** Whether the level could be locked against other jobs; the same on all PEs. Updates the next id. Collective. */
    private boolean isAlone(LoopLevel level) {
        try {
            nextId = Math.max(nextId, level.open().newestBelow(Long.MAX_VALUE).orElse(0) + 1);
            return true;
        } catch (CommunicationFailedException failure) {
            throw failure;
        } catch (RuntimeException refused) {
            level.warn(refused);
            return false;
        }
    }

    /**
     * Completes saves that are written on all PEs. Collective.
     *
     * @param all whether to wait for those that are not written yet, too
     */
    void complete(boolean all) {
        levels.forEach(level -> level.complete(all || !data.isSubmittedInBackground()));
    }

    /**
     * Ends the job if that was decided. A user's request waits until a level has saved the iteration; the end of the time
     * doesn't wait. The same on all PEs.
     *
     * @throws ToBeContinuedException when there is a checkpoint to resume from
     */
    void endIfDecided() {
        if (isEndDecided() && canContinue() && (timeOver || newestComplete() >= endIteration)) {
            if (stopRequested) {
                // Levels that could not be reopened after a failure have seen no request to stop.
                levels.stream().filter(LoopLevel::isOpen).forEach(level -> level.open().acknowledgeStop(true));
            }
            throw ended(JobState.End.STOPPED, "the job ends before it is complete", null);
        }
        resetEnd();
    }

    private boolean isEndDecided() {
        return stopRequested || timeOver;
    }

    private void resetEnd() {
        stopRequested = false;
        timeOver = false;
    }

    /** Whether a later job can resume from a checkpoint. The same on all PEs. */
    boolean canContinue() {
        return newestComplete() >= 0;
    }

    private long newestComplete() {
        return levels.stream().mapToLong(LoopLevel::completeIteration).max().orElse(-1);
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
        if (communicator.isFirst()) {
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
        resetEnd();
        Completely.forEach(levels, LoopLevel::failed);
    }

    /** Closes all levels without waiting for other PEs. */
    void close() {
        Completely.forEach(levels, LoopLevel::close);
    }
}

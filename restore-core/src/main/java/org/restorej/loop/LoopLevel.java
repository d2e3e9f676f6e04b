package org.restorej.loop;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.loop.LoopStorage.Saved;
import org.restorej.loop.LoopStorage.Unsaved;

/**
 * One level of storage of a {@link CheckpointLoop}: what is written to it, and which save is complete. Not thread-safe.
 */
final class LoopLevel {
    /** How many numbers {@link #vote} sets. */
    static final int VOTES = 3;
    private static final System.Logger LOG = System.getLogger(LoopLevel.class.getName());

    private final LoopStorage storage;
    private final CheckpointInterval interval;
    private final LoopCommunicator communicator;
    /** Null after a failure, until the survivors open it. */
    private LoopStorage.@Nullable Level open;
    /** What was open before the last failure. */
    private LoopStorage.@Nullable Level former;
    /** The iteration that was written last, or that the loop began with. */
    private long savedIteration;
    private long savedNanos = System.nanoTime();
    private double costSeconds;
    /** Whether a save has been written and is not yet complete. */
    private boolean pending;
    /** Whether the survivors could not open it; they try again when it is due. */
    private boolean refused;
    /** Whether to save at the next generation: a failure has interrupted a save. The same on all survivors. */
    private boolean cutOff;
    private boolean dueDecided;
    private boolean writtenDecided;
    /** The iteration from which a later job would resume; negative if there is none. */
    private long completeIteration = -1;

    LoopLevel(LoopStorage storage, CheckpointInterval interval, LoopCommunicator communicator) {
        this.storage = storage;
        this.interval = interval;
        this.communicator = communicator;
    }

    /** Its place, for messages, different for each level. */
    @Override
    public String toString() {
        return storage.toString();
    }

    /** Opens it for all surviving PEs, unless it is open. Called by all of them. */
    void reopen() {
        if (open == null) {
            open = former == null ? storage.open(communicator.current()) : former.open(communicator.current());
        }
    }

    boolean isOpen() {
        return open != null;
    }

    LoopStorage.Level open() {
        if (open == null) {
            throw new IllegalStateException("a level must be open: " + storage);
        }
        return open;
    }

    /** Whether the survivors open it now: once after a failure, and then when it is due. */
    boolean isToBeReopened() {
        return open == null && (dueDecided || !refused);
    }

    /**
     * Records whether all survivors have opened it. Otherwise it is closed, and due again after its interval.
     *
     * @param iteration that would be saved now
     */
    void reopened(boolean byAll, long iteration) {
        refused = !byAll;
        if (refused) {
            savedIteration = iteration;
            savedNanos = System.nanoTime();
            close();
        }
    }

    /** Closes the level without waiting for other PEs. */
    void close() {
        LoopStorage.Level closing = open;
        open = null;
        if (closing != null) {
            former = closing;
            closing.close();
        }
    }

    /**
     * Starts with an iteration that an earlier job has saved.
     *
     * @param here whether it is saved in this level
     */
    void beginsWith(long iteration, boolean here) {
        savedIteration = iteration;
        completeIteration = here ? iteration : completeIteration;
    }

    /** The iteration from which a later job would resume; negative if there is none. */
    long completeIteration() {
        return completeIteration;
    }

    double costSeconds() {
        return costSeconds;
    }

    /** Whether a save that a failure has interrupted is to be repeated. The same on all survivors. */
    boolean isCutOff() {
        return cutOff;
    }

    /**
     * Sets the votes of this PE after an iteration: whether the level is due, whether it still writes, and the seconds
     * that a save takes. The maximum over all PEs counts.
     *
     * @param unmeasured whether it is due because the cost of a save is unknown
     */
    void vote(double[] votes, int place, long iteration, boolean unmeasured) {
        votes[place] = !isReadOnly() && (unmeasured || isDue(iteration)) ? 1 : 0;
        votes[place + 1] = open == null || open.isWritten() ? 0 : 1;
        votes[place + 2] = costSeconds;
    }

    private boolean isReadOnly() {
        return open != null && open.isReadOnly();
    }

    private boolean isDue(long iteration) {
        return cutOff || (!pending && interval.isDue(iteration - savedIteration,
                (System.nanoTime() - savedNanos) * 1e-9, costSeconds));
    }

    /** Applies the maximum of the votes. */
    void decide(double[] votes, int place) {
        dueDecided = votes[place] > 0;
        writtenDecided = votes[place + 1] == 0;
        costSeconds = votes[place + 2];
    }

    /** Makes the level due whatever was voted. */
    void makeDue() {
        dueDecided = true;
    }

    /** Whether to write to it now; resets what was decided. The same on all PEs. */
    boolean takeDue() {
        boolean due = dueDecided && open != null && !isReadOnly();
        dueDecided = false;
        cutOff = false;
        return due;
    }

    /**
     * Writes the prepared generation. Throws nothing, because the other PEs proceed to the submit. If this PE writes
     * nothing, completing the save fails.
     */
    void write(long id, Checkpoint checkpoint, boolean converged, LoopRestart restart) {
        long began = System.nanoTime();
        pending = true;
        writtenDecided = false;
        savedIteration = checkpoint.iteration();
        savedNanos = began;
        try {
            open().write(new Saved(id, checkpoint.iteration(), converged, restart.shape(), checkpoint.values(),
                    System.currentTimeMillis(), ""), checkpoint.savedBlocks());
        } catch (RuntimeException | Error own) {
            warn(own);
        }
        costSeconds = (System.nanoTime() - began) * 1e-9;
    }

    /**
     * Completes a save. Collective.
     *
     * @param waits whether to wait until it is written; otherwise it is completed if PEs have voted that it is
     */
    void complete(boolean waits) {
        if (!pending || !(waits || writtenDecided)) {
            return;
        }
        long began = System.nanoTime();
        Optional<Unsaved> failure = open().complete();
        pending = false;
        costSeconds += (System.nanoTime() - began) * 1e-9;
        if (failure.isEmpty()) {
            completeIteration = savedIteration;
            return;
        }
        if (communicator.isFirst()) {
            warn(failure.get().reason());
        }
        if (failure.get().losesEarlier()) {
            completeIteration = -1;
            cutOff = true;
        }
    }

    /** Resets decisions and an unfinished save after a failure, and closes the level; the survivors reopen it. */
    void failed() {
        cutOff |= pending;
        pending = false;
        dueDecided = false;
        writtenDecided = false;
        refused = false;
        close();
    }

    /** Logs an exception that other PEs may not have. */
    void warn(Throwable own) {
        try {
            warn("PE " + communicator.current().originalRank().value() + " has met " + own);
        } catch (RuntimeException | Error untold) {
            // Out of memory: the warning is dropped.
        }
    }

    private void warn(String reason) {
        LOG.log(System.Logger.Level.WARNING,
                "iteration {0} can''t be saved in {1}, and the loop goes on in memory: {2}",
                Long.toString(savedIteration), storage.toString(), reason);
    }
}

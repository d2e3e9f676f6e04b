package org.restorej.loop;

import org.jspecify.annotations.Nullable;

/** The state of one level of storage of a {@link CheckpointLoop}. Not thread-safe. */
final class LoopLevel {
    final LoopStorage storage;
    final CheckpointInterval interval;
    /** Id of the newest checkpoint that is ignored because the job starts afresh. */
    long unwantedId = -1;
    /** Null after a failure, until the survivors open it. */
    LoopStorage.@Nullable Level open;
    long savedIteration;
    long savedNanos = System.nanoTime();
    double costSeconds;
    /** Whether a save has been written and is not yet complete. */
    boolean pending;
    /** Whether the survivors could not open it; they try again when it is due. */
    boolean refused;
    /** Whether a failure has interrupted a save. The same on all survivors. */
    boolean cutOff;
    boolean dueDecided;
    boolean writtenDecided;
    /** The iteration from which a later job would resume; negative if there is none. */
    long completeIteration = -1;

    LoopLevel(LoopStorage storage, CheckpointInterval interval) {
        this.storage = storage;
        this.interval = interval;
    }

    LoopStorage.Level open() {
        if (open == null) {
            throw new IllegalStateException("a level must be open: " + storage);
        }
        return open;
    }

    /** Closes the level without waiting for other PEs. */
    void close() {
        LoopStorage.Level closing = open;
        open = null;
        if (closing != null) {
            closing.close();
        }
    }

    boolean isDue(long iteration) {
        return cutOff || (!pending && interval.isDue(iteration - savedIteration,
                (System.nanoTime() - savedNanos) * 1e-9, costSeconds));
    }
}

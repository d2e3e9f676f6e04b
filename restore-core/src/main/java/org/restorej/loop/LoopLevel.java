package org.restorej.loop;

import org.jspecify.annotations.Nullable;

/** A level of storage of a {@link CheckpointLoop}, and what is saved in it. Not thread-safe. */
final class LoopLevel {
    final LoopStorage storage;
    final CheckpointInterval interval;
    /** Id of the newest that isn't wanted, since the job begins anew. */
    long unwantedId = -1;
    /** Null after a failure, until it is opened by the survivors. */
    LoopStorage.@Nullable Level open;
    long savedIteration;
    long savedNanos = System.nanoTime();
    double costSeconds;
    /** Whether something is written that isn't complete. */
    boolean pending;
    /** Whether it could not be opened by the survivors: tried again when it is due. */
    boolean refused;
    /** Whether a failure has kept it from being complete. The same on all survivors. */
    boolean cutOff;
    boolean dueDecided;
    boolean writtenDecided;
    /** The iteration that a later job would go on from; negative without one. */
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

    /** Never waits for others. */
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

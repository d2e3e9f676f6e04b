package org.restorej.loop;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/** Counts iterations to the next checkpoint: the same number on every PE. One thread. */
final class CheckpointSchedule {
    private final CheckpointInterval interval;
    private long iterations;
    private double checkpointSeconds;

    CheckpointSchedule(CheckpointInterval interval) {
        this.interval = interval;
        iterations = interval.firstIterations();
    }

    /** Number of iterations to the next checkpoint. */
    long iterations() {
        return iterations;
    }

    /**
     * Chooses the next number of iterations from the times of the slowest PE. Collective, in an operation that is
     * settled.
     *
     * @param done iterations done since the last checkpoint, at least 1
     * @param nanos time of this PE for them
     */
    void choose(Communicator communicator, long done, long nanos) {
        if (interval.dependsOnTimes()) {
            double[] seconds = {nanos * 1e-9 / done, checkpointSeconds};
            communicator.allReduce(seconds, Reduction.MAX);
            iterations = interval.iterations(seconds[0], seconds[1], iterations);
        }
    }

    /** Starts again: PEs may have chosen different numbers when a failure kept some from choosing. */
    void reset() {
        iterations = interval.firstIterations();
    }

    /** Notes how long this PE could not compute while it prepared a checkpoint. */
    void checkpointTook(long nanos) {
        checkpointSeconds = nanos * 1e-9;
    }

    /** Adds the time that it could not compute while the checkpoint was submitted. */
    void checkpointTookMore(long nanos) {
        checkpointSeconds += nanos * 1e-9;
    }
}

package org.restorej.internal.training;

import org.restorej.comm.Communicator;

/** The part of another module in the training run of an AOT cache: a service that {@code AotTraining} loads. */
public interface TrainingPart {
    /**
     * Calls the code that ranks of a job will call, with few bytes.
     *
     * @param world all ranks, at least three, which call this together; not changed
     */
    void train(Communicator world);
}

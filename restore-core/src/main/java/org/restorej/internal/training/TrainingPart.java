package org.restorej.internal.training;

import org.restorej.comm.Communicator;

/**
 * What another module does while the JVM takes notes for an AOT cache: a service that {@code AotTraining} looks for.
 */
public interface TrainingPart {
    /**
     * Calls what ranks of a job will call, with few bytes.
     *
     * @param world all ranks, at least three, which call this together; stays as it is
     */
    void train(Communicator world);
}

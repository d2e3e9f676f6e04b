package org.restorej.comm.testing;

import org.restorej.comm.Communicator;

/**
 * One promise of {@link Communicator} as a program for all PEs, which throws where the promise is broken. A program
 * leaves no message behind and works at any size from its minimum, so that one job can run many of them.
 *
 * @param name the promise
 * @param minimumSize fewest PEs it makes sense with
 * @param program what every PE runs
 */
public record ContractProgram(String name, int minimumSize, Program program) {
    /** What every PE runs. */
    @FunctionalInterface
    public interface Program {
        /** Runs it on one PE. */
        void run(Communicator communicator);
    }

    /** Runs the program on a duplicate of the communicator, so that programs run one after the other can't mix. */
    public void runIsolated(Communicator world) {
        try (Communicator isolated = world.duplicate()) {
            program.run(isolated);
        }
    }
}

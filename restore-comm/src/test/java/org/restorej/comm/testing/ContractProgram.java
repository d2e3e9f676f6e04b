package org.restorej.comm.testing;

import org.restorej.comm.Communicator;

/**
 * One promise of {@link Communicator} as a program for all PEs, which throws where the promise is broken. A program
 * leaves no message behind and works at any size from its minimum, so that one job can run many of them.
 *
 * @param name the promise
 * @param minimumSize fewest PEs it makes sense with
 * @param program what every PE runs
 * @param needsSurvival whether only a transport that survives failures can keep it: threads and ULFM
 */
public record ContractProgram(String name, int minimumSize, Program program, boolean needsSurvival) {
    /** What every PE runs. */
    @FunctionalInterface
    public interface Program {
        /** Runs it on one PE. */
        void run(Communicator communicator);
    }

    /** A promise that every transport keeps. */
    public ContractProgram(String name, int minimumSize, Program program) {
        this(name, minimumSize, program, false);
    }

    /** This promise, of transports that survive failures: in it PEs fail in groups, or are woken by a revocation. */
    public ContractProgram ofSurvivors() {
        return new ContractProgram(name, minimumSize, program, true);
    }

    /** Whether it makes sense with so many PEs, and the transport can keep it. */
    public boolean fits(int size, boolean survivesFailures) {
        return minimumSize <= size && (survivesFailures || !needsSurvival);
    }

    /** Runs the program on a duplicate of the communicator, so that programs run one after the other can't mix. */
    public void runIsolated(Communicator world) {
        try (Communicator isolated = world.duplicate()) {
            program.run(isolated);
        }
    }
}

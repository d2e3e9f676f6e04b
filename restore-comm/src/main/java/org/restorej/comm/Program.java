package org.restorej.comm;

/** The program that every PE runs. */
@FunctionalInterface
public interface Program {
    /**
     * Runs the program on one PE.
     *
     * @param world all PEs, or the survivors when it is restarted
     * @throws Exception ends this PE, unless it is a failure that the caller survives
     */
    void run(Communicator world) throws Exception;
}

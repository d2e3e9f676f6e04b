package org.restorej.comm;

/** What every PE runs. */
@FunctionalInterface
public interface Program {
    /**
     * Runs the program of one PE.
     *
     * @param world all PEs, or those who are left when it is restarted
     * @throws Exception ends this PE, unless it is a failure that the caller survives
     */
    void run(Communicator world) throws Exception;
}

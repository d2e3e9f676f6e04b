package org.restorej.comm;

/** Simulates failures of PEs, for demonstrations and tests. Implemented by {@link Communicator}s that can do so. */
public interface FailureSimulation {
    /**
     * Ends the thread of a PE whose failure is simulated. Only the code that started the PE may catch it, because a
     * failed process runs no more of its program. Every communicator call of a failed PE throws it again.
     */
    final class SimulatedFailureError extends Error {
        private static final long serialVersionUID = 1L;

        /**
         * Creates the error for a PE that fails.
         *
         * @param originalRank of the failed PE
         */
        public SimulatedFailureError(OriginalRank originalRank) {
            super("the PE of original rank " + originalRank + " was made to fail", null, false, false);
        }
    }

    /**
     * Makes PEs fail. All PEs of the communicator call it at the same point, with the same ranks. On a PE that fails it
     * doesn't return: it throws {@link SimulatedFailureError}, or the process is killed. The others notice the failure
     * as a real one, in an operation that depends on the failed PEs. On an MPI without ULFM all surviving PEs call it;
     * it first completes their pending operations, and makes each later call on a communicator with a failed PE fail.
     *
     * @param currentRanks current ranks of the PEs that fail
     * @throws UnsupportedOperationException on an MPI without ULFM, if the communicator lacks some surviving PEs
     */
    void fail(int... currentRanks);

    /**
     * The failure simulation of a communicator.
     *
     * @throws IllegalArgumentException when the communicator can't simulate failures, for example one that wraps
     *         another
     */
    static FailureSimulation of(Communicator communicator) {
        if (communicator instanceof FailureSimulation simulation) {
            return simulation;
        }
        throw new IllegalArgumentException("communicator must be one that can make PEs fail, as those of LocalCluster "
                + "and Mpi: communicator is a " + communicator.getClass().getName());
    }
}

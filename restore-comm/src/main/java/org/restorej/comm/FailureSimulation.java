package org.restorej.comm;

/**
 * Makes PEs fail on purpose, for demonstrations and tests. A {@link Communicator} that can do so implements this too.
 */
public interface FailureSimulation {
    /**
     * Unwinds the thread of a PE that was made to fail. Nothing but the code that started the PE may catch it: a failed
     * process runs no more of its program. Every communicator call of a failed PE throws it again.
     */
    final class SimulatedFailureError extends Error {
        private static final long serialVersionUID = 1L;

        /**
         * An error for the thread of the PE that has failed now.
         *
         * @param originalRank who failed
         */
        public SimulatedFailureError(OriginalRank originalRank) {
            super("the PE of original rank " + originalRank + " was made to fail", null, false, false);
        }
    }

    /**
     * Ends the PEs given; called by all PEs of the communicator at the same point, with the same ranks. On a PE to end
     * it doesn't return: it throws {@link SimulatedFailureError}, or the process is really killed. The others notice as
     * they would a real failure, at an operation that depends on the failed PEs. On an MPI without ULFM it is called by
     * all PEs alive, what they have under way ends first, and each later call on a communicator with a failed PE fails.
     *
     * @param currentRanks current ranks of the PEs to end
     * @throws UnsupportedOperationException on an MPI without ULFM, on a communicator of some of the PEs alive
     */
    void fail(int... currentRanks);

    /**
     * What makes PEs of a communicator fail.
     *
     * @throws IllegalArgumentException when it can't, as one that the application has wrapped
     */
    static FailureSimulation of(Communicator communicator) {
        if (communicator instanceof FailureSimulation simulation) {
            return simulation;
        }
        throw new IllegalArgumentException("communicator must be one that can make PEs fail, as those of LocalCluster "
                + "and Mpi: communicator is a " + communicator.getClass().getName());
    }
}

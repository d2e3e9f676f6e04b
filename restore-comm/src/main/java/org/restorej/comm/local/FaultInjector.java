package org.restorej.comm.local;

import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/**
 * Decides at every communication call of every PE of a {@link LocalCluster} whether the PE fails there.
 *
 * <p>
 * Asked once a call, by the thread of the PE that calls; in a free-running cluster by several threads at once. In a
 * single-stepping cluster the sequence of questions is a function of program and seed, so it is also a trace of the
 * run.
 */
@FunctionalInterface
public interface FaultInjector {
    /** No PE fails. */
    FaultInjector NONE = (originalRank, callIndex, operation) -> Fate.LIVES;

    /** What becomes of a PE at a call. */
    enum Fate {
        /** The call does what it should. */
        LIVES,
        /** The PE fails, and the call has no effect on the others. */
        DIES_BEFORE,
        /**
         * The PE fails when the call has taken effect: the message is on its way, the barrier or agreement entered. It
         * does not wait for the others.
         */
        DIES_AFTER
    }

    /**
     * What becomes of the PE at this call.
     *
     * @param originalRank who calls
     * @param callIndex number of communication calls that this PE has made before
     * @param operation what it calls
     */
    Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation);

    /** The communication calls of a PE, as {@link FaultInjector}s and messages about waiting PEs name them. */
    enum Operation {
        /** {@link Communicator#iSend}. */
        SEND("iSend"),
        /** {@link Communicator#iSsend}. */
        SEND_SYNCHRONOUS("iSsend"),
        /** {@link Communicator#iReceive}. */
        RECEIVE("iReceive"),
        /** {@link Communicator#probe}. */
        PROBE("probe"),
        /** {@link Request#test} of a request that has not answered yet. */
        TEST("test"),
        /** {@link Request#cancel} of a request that has not answered yet. */
        CANCEL("cancel"),
        /** {@link Communicator#iBarrier}. */
        BARRIER("barrier"),
        /** {@link Communicator#allGather}. */
        ALL_GATHER("allGather"),
        /** {@link Communicator#allReduce(long[], Reduction)} and its like. */
        ALL_REDUCE("allReduce"),
        /** {@link Communicator#agree}. */
        AGREE("agree"),
        /** {@link Communicator#revoke}. */
        REVOKE("revoke"),
        /** {@link Communicator#isRevoked}. */
        IS_REVOKED("isRevoked"),
        /** {@link Communicator#failedRanks}. */
        FAILED_RANKS("failedRanks"),
        /** {@link Communicator#shrink}. */
        SHRINK("shrink"),
        /** {@link Communicator#duplicate}. */
        DUPLICATE("duplicate"),
        /** {@link Communicator#split}. */
        SPLIT("split"),
        /** {@link FailureSimulation#fail}. */
        FAIL("fail");

        private final String methodName;

        Operation(String methodName) {
            this.methodName = methodName;
        }

        /**
         * Whether the call only looks: one in vain changes nothing, and programs repeat it until something has changed.
         */
        boolean polls() {
            return this == PROBE || this == TEST || this == IS_REVOKED || this == FAILED_RANKS;
        }

        /** Name of the method. */
        @Override
        public String toString() {
            return methodName;
        }
    }
}

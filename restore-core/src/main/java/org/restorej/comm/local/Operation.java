package org.restorej.comm.local;

import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;

/** The communication calls of a PE, as {@link FaultInjector}s and messages about waiting PEs name them. */
public enum Operation {
    /** {@link Communicator#send}. */
    SEND("send"),
    /** {@link Communicator#sendSynchronous}. */
    SEND_SYNCHRONOUS("sendSynchronous"),
    /** {@link Communicator#receive}. */
    RECEIVE("receive"),
    /** {@link Communicator#probe}. */
    PROBE("probe"),
    /** {@link Request#test} of a request that has not answered yet. */
    TEST("test"),
    /** {@link Request#cancel} of a request that has not answered yet. */
    CANCEL("cancel"),
    /** {@link Communicator#barrier}. */
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

    /** Whether the call only looks: one in vain changes nothing, and programs repeat it until something has changed. */
    boolean polls() {
        return this == PROBE || this == TEST || this == IS_REVOKED || this == FAILED_RANKS;
    }

    /** Name of the method. */
    @Override
    public String toString() {
        return methodName;
    }
}

package org.restorej.comm;

import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Runs the contract of {@link Communicator} on an implementation that survives failures: PEs die one by one. */
abstract class FailureContract extends CommunicatorContract {
    /** Runs a program of {@link FailureContractPrograms}, and throws when it throws on a survivor. */
    abstract void runFailureProgram(int size, String programName) throws Exception;

    @TestFactory
    List<DynamicContainer> keepsTheContractWhenPesDie() {
        return keepsTheContractWhenPesDie(sizes());
    }

    final List<DynamicContainer> keepsTheContractWhenPesDie(List<Integer> sizes) {
        return containers(sizes, FailureContractPrograms.ALL, this::runFailureProgram);
    }
}

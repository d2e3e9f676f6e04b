package org.restorej.comm;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;

/** Runs the contract of {@link Communicator} on an implementation at 1, 2, 4 and 8 PEs. */
abstract class CommunicatorContract {
    static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    /** Runs a program of {@link CommunicatorContractPrograms} on all PEs, and throws when it throws on one of them. */
    abstract void runOnEveryPe(int size, String programName) throws Exception;

    /** At which of these sizes nobody dies. */
    List<Integer> sizes() {
        return SIZES;
    }

    /** At which of these sizes PEs die one by one; none where they can't. */
    List<Integer> sizesWithDeaths() {
        return SIZES;
    }

    /** Runs a program of {@link FailureContractPrograms}; only where failures are survived. */
    void runFailureProgram(int size, String programName) throws Exception {
        throw new UnsupportedOperationException(programName + " at size " + size);
    }

    @TestFactory
    List<DynamicContainer> keepsTheContract() {
        return containers(sizes(), CommunicatorContractPrograms.ALL, this::runOnEveryPe);
    }

    @TestFactory
    List<DynamicContainer> keepsTheContractWhenPesDie() {
        return containers(sizesWithDeaths(), FailureContractPrograms.ALL, this::runFailureProgram);
    }

    private interface Job {
        void run(int size, String programName) throws Exception;
    }

    private static List<DynamicContainer> containers(List<Integer> sizes, List<ContractProgram> programs,
            Job job) {
        List<DynamicContainer> containers = new ArrayList<>();
        for (int size : sizes) {
            containers.add(DynamicContainer.dynamicContainer(size + " PEs",
                    programs.stream().filter(program -> program.minimumSize() <= size)
                            .map(program -> DynamicTest.dynamicTest(program.name() + " on " + size,
                                    () -> job.run(size, program.name())))));
        }
        return containers;
    }
}

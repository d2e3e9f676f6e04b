package org.restorej.comm;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.ContractProgram;

/** Runs the contract of {@link Communicator} on an implementation. */
abstract class CommunicatorContract {
    /** The numbers of PEs at which it is kept. */
    static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    /** Runs a program of {@link CommunicatorContractPrograms} on all PEs, and throws when it throws on one of them. */
    abstract void runOnEveryPe(int size, String programName) throws Exception;

    /** At which sizes it is run; what is left of {@link #SIZES} is for a deep run. */
    List<Integer> sizes() {
        return SIZES;
    }

    @TestFactory
    List<DynamicContainer> keepsTheContract() {
        return keepsTheContract(sizes());
    }

    /** Whether PEs can fail on their own. */
    boolean survivesFailures() {
        return true;
    }

    final List<DynamicContainer> keepsTheContract(List<Integer> sizes) {
        return containers(sizes, CommunicatorContractPrograms.ALL.stream()
                .filter(program -> survivesFailures() || !program.needsSurvival()).toList(), this::runOnEveryPe);
    }

    /** All sizes but some. */
    static List<Integer> without(List<Integer> sizes) {
        return SIZES.stream().filter(size -> !sizes.contains(size)).toList();
    }

    /** Runs a program. */
    interface Job {
        /** Throws when it does. */
        void run(int size, String programName) throws Exception;
    }

    /** For each size a container with the programs that make sense at it. */
    static List<DynamicContainer> containers(List<Integer> sizes, List<ContractProgram> programs, Job job) {
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

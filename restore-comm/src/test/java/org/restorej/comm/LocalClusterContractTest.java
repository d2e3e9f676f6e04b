package org.restorej.comm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.LocalClusterPrograms;
import org.restorej.testing.Deep;

/** The contract on threads, free-running and one step at a time. */
class LocalClusterContractTest {
    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);
    private static final int INTERLEAVINGS = 2;
    private static final int DEEP_INTERLEAVINGS = 20;

    @TestFactory
    Stream<DynamicTest> keepsTheContractAndLeavesNoMessageBehind() {
        return LocalClusterPrograms.testsLeavingNoMessage(CommunicatorContractPrograms.ALL, SIZES, INTERLEAVINGS);
    }

    @TestFactory
    Stream<DynamicTest> keepsTheContractWhenPesFail() {
        return LocalClusterPrograms.tests(FailureContractPrograms.ALL, SIZES, INTERLEAVINGS);
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> keepsTheContractInMoreInterleavings() {
        return Stream.concat(LocalClusterPrograms.testsLeavingNoMessage(CommunicatorContractPrograms.ALL, SIZES,
                DEEP_INTERLEAVINGS),
                LocalClusterPrograms.tests(FailureContractPrograms.ALL, SIZES, DEEP_INTERLEAVINGS));
    }
}

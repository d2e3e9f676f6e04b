package org.restorej.comm.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.testing.Seed;

/** Makes tests of programs on PEs that are threads. */
public final class LocalClusterPrograms {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private LocalClusterPrograms() {}

    /** Two tests for each program and size at which it makes sense: free-running, and step by step. */
    public static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes) {
        return tests(programs, sizes, 1);
    }

    /** The same, step by step in so many ways. */
    public static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes, int interleavings) {
        return tests(programs, sizes, interleavings, false);
    }

    /** The same, for programs that receive all messages that are sent. */
    public static Stream<DynamicTest> testsLeavingNoMessage(List<ContractProgram> programs, List<Integer> sizes,
            int interleavings) {
        return tests(programs, sizes, interleavings, true);
    }

    private static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes, int interleavings,
            boolean leavesNothing) {
        return sizes.stream()
                .flatMap(size -> programs.stream().filter(program -> program.minimumSize() <= size)
                        .flatMap(program -> Stream.of(
                                DynamicTest.dynamicTest(program.name() + " on " + size,
                                        () -> run(LocalCluster.builder(size), program, leavesNothing)),
                                DynamicTest.dynamicTest(program.name() + " on " + size + ", step by step",
                                        () -> runStepByStep(size, program, interleavings, leavesNothing)))));
    }

    private static void runStepByStep(int size, ContractProgram program, int interleavings, boolean leavesNothing) {
        long firstSeed = Seed.of(program.name());
        for (long seed = firstSeed; seed < firstSeed + interleavings; seed++) {
            try {
                run(LocalCluster.builder(size).singleStepping(seed), program, leavesNothing);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError(Seed.option() + ", seed=" + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    private static void run(LocalCluster.Builder builder, ContractProgram program, boolean leavesNothing) {
        try (LocalCluster cluster = builder.timeout(TIMEOUT).build()) {
            PeOutcome.values(cluster.run(world -> {
                if (leavesNothing) {
                    program.runIsolated(world);
                } else {
                    program.program().run(world);
                }
                return 0;
            }));
            if (leavesNothing) {
                Checks.equal(0, cluster.unreceivedMessages(), "messages left behind");
            }
        }
    }
}

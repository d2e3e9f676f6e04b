package org.restorej.comm.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.PeOutcome;

/** Makes tests of programs on PEs that are threads: each free-running, and step by step for several seeds. */
public final class LocalClusterPrograms {
    private static final int SEEDS = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private LocalClusterPrograms() {}

    /** A test for each program and size at which it makes sense. */
    public static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes) {
        return tests(programs, sizes, SEEDS);
    }

    /** As {@link #tests(List, List)}, step by step for so many seeds: for programs that do more than communicate. */
    public static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes, int seeds) {
        return sizes.stream()
                .flatMap(size -> programs.stream().filter(program -> program.minimumSize() <= size)
                        .flatMap(program -> Stream.of(
                                DynamicTest.dynamicTest(program.name() + " on " + size,
                                        () -> run(LocalCluster.builder(size), program)),
                                DynamicTest.dynamicTest(program.name() + " on " + size + ", step by step",
                                        () -> runStepByStep(size, program, seeds)))));
    }

    private static void runStepByStep(int size, ContractProgram program, int seeds) {
        for (long seed = 0; seed < seeds; seed++) {
            try {
                run(LocalCluster.builder(size).singleStepping(seed), program);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed=" + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    private static void run(LocalCluster.Builder builder, ContractProgram program) {
        try (LocalCluster cluster = builder.timeout(TIMEOUT).build()) {
            PeOutcome.values(cluster.run(world -> {
                program.program().run(world);
                return 0;
            }));
        }
    }
}

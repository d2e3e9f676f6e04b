package org.restorej.comm.testing;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.testing.Depth;

/**
 * Makes tests of programs on PEs that are threads: each free-running, and step by step for a seed, another one every
 * day.
 */
public final class LocalClusterPrograms {
    private static final String SEED_PROPERTY = "restorej.step.seed";
    private static final int SEEDS = 1;
    private static final int DEEP_SEEDS = 10;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private LocalClusterPrograms() {}

    /** A test for each program and size at which it makes sense. */
    public static Stream<DynamicTest> tests(List<ContractProgram> programs, List<Integer> sizes) {
        int seeds = Depth.trials(SEEDS, DEEP_SEEDS);
        long firstSeed = Depth.seed(SEED_PROPERTY) * SEEDS;
        System.out.println("step by step from -D" + SEED_PROPERTY + "=" + firstSeed / SEEDS);
        return sizes.stream()
                .flatMap(size -> programs.stream().filter(program -> program.minimumSize() <= size)
                        .flatMap(program -> Stream.of(
                                DynamicTest.dynamicTest(program.name() + " on " + size,
                                        () -> run(LocalCluster.builder(size), program)),
                                DynamicTest.dynamicTest(program.name() + " on " + size + ", step by step",
                                        () -> runStepByStep(size, program, firstSeed, seeds)))));
    }

    private static void runStepByStep(int size, ContractProgram program, long firstSeed, int seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
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

package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.comm.local.LocalCluster.StuckClusterException;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.testing.Deep;

/** The contract one step at a time, for several seeds. A failure says its seed. */
class LocalClusterSingleSteppingContractTest extends FailureContract {
    private static final int SEEDS = 2;
    private static final int DEEP_SEEDS = 20;

    @Override
    void runOnEveryPe(int size, String programName) {
        runOnEveryPe(size, programName, 0, SEEDS);
    }

    @Override
    void runFailureProgram(int size, String programName) {
        runFailureProgram(size, programName, 0, SEEDS);
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractForMoreSeeds() {
        return containers(sizes(), CommunicatorContractPrograms.ALL,
                (size, programName) -> runOnEveryPe(size, programName, SEEDS, DEEP_SEEDS));
    }

    @Deep
    @TestFactory
    List<DynamicContainer> keepsTheContractWhenPesDieForMoreSeeds() {
        return containers(sizes(), FailureContractPrograms.ALL,
                (size, programName) -> runFailureProgram(size, programName, SEEDS, DEEP_SEEDS));
    }

    private static void runOnEveryPe(int size, String programName, int first, int end) {
        ContractProgram program = new CommunicatorContractPrograms().named(programName);
        // 64 MiB are the same at every interleaving, and dear.
        int last = programName.equals("aLargeMessageArrives") ? first + 1 : end;
        for (int seed = first; seed < last; seed++) {
            assertEquals(0, run(size, seed, program::runIsolated), "messages left behind, seed=" + seed);
        }
    }

    private static void runFailureProgram(int size, String programName, int first, int end) {
        ContractProgram program = new FailureContractPrograms().named(programName);
        for (int seed = first; seed < end; seed++) {
            run(size, seed, program.program());
        }
    }

    private static int run(int size, long seed, ContractProgram.Program program) {
        try (LocalCluster cluster = LocalCluster.builder(size).singleStepping(seed).timeout(Duration.ofMinutes(5))
                .build()) {
            PeOutcome.values(cluster.run(world -> {
                program.run(world);
                return size;
            }));
            return cluster.unreceivedMessages();
        } catch (PeFailedException | StuckClusterException failure) {
            throw new AssertionError("seed=" + seed + ": " + failure.getMessage(), failure);
        }
    }
}

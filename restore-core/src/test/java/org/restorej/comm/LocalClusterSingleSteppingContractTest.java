package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.PeFailedException;
import org.restorej.comm.local.StuckClusterException;
import org.restorej.comm.testing.ContractProgram;

/** The contract one step at a time, for several seeds. A failure says its seed. */
class LocalClusterSingleSteppingContractTest extends FailureContract {
    private static final int SEEDS = 20;

    @Override
    void runOnEveryPe(int size, String programName) {
        ContractProgram program = new CommunicatorContractPrograms().named(programName);
        // 64 MiB are the same at every interleaving, and dear.
        int seeds = programName.equals("aLargeMessageArrives") ? 2 : SEEDS;
        for (int seed = 0; seed < seeds; seed++) {
            assertEquals(0, run(size, seed, program::runIsolated), "messages left behind, seed=" + seed);
        }
    }

    @Override
    void runFailureProgram(int size, String programName) {
        ContractProgram program = new FailureContractPrograms().named(programName);
        for (int seed = 0; seed < SEEDS; seed++) {
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

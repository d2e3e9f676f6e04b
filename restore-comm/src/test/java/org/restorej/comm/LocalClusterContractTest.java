package org.restorej.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.ContractProgram;

/** The contract on free-running threads. */
class LocalClusterContractTest extends FailureContract {
    @Override
    void runOnEveryPe(int size, String programName) {
        ContractProgram program = new CommunicatorContractPrograms().named(programName);
        try (LocalCluster cluster = LocalCluster.builder(size).timeout(Duration.ofMinutes(5)).build()) {
            PeOutcome.values(cluster.run(world -> {
                program.runIsolated(world);
                return size;
            }));
            assertEquals(0, cluster.unreceivedMessages(), "messages left behind");
        }
    }

    @Override
    void runFailureProgram(int size, String programName) {
        ContractProgram program = new FailureContractPrograms().named(programName);
        try (LocalCluster cluster = LocalCluster.builder(size).timeout(Duration.ofMinutes(5)).build()) {
            PeOutcome.values(cluster.run(world -> {
                program.program().run(world);
                return size;
            }));
        }
    }
}

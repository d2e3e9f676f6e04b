package org.restorej.comm;

import org.restorej.comm.testing.ContractProgram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;

/** The contract on free-running threads. */
class LocalClusterContractTest extends CommunicatorContract {
    @Override
    void runOnEveryPe(int size, String programName) {
        ContractProgram program = new CommunicatorContractPrograms().named(programName);
        try (LocalCluster cluster = LocalCluster.builder(size).timeout(Duration.ofMinutes(1)).build()) {
            PeOutcome.values(cluster.run(world -> {
                program.runIsolated(world);
                return size;
            }));
            assertEquals(0, cluster.unreceivedMessages(), "messages left behind");
        }
    }

    @Override
    boolean survivesFailures() {
        return true;
    }

    @Override
    void runFailureProgram(int size, String programName) {
        ContractProgram program = new FailureContractPrograms().named(programName);
        try (LocalCluster cluster = LocalCluster.builder(size).timeout(Duration.ofMinutes(1)).build()) {
            PeOutcome.values(cluster.run(world -> {
                program.program().run(world);
                return size;
            }));
        }
    }
}

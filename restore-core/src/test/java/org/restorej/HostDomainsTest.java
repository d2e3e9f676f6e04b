package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.CallRecorder;
import org.restorej.internal.host.HostName;

/** What it costs to look where PEs are. */
class HostDomainsTest {
    private static final int PES = 4;

    @Test
    void askingForTheHostsTakesNoCallMoreOnOneHost() {
        assertEquals(callsOfBuild(ReStoreBuilder::failureDomain), callsOfBuild(builder -> builder));
    }

    @Test
    void thisMachineHasAName() {
        assertFalse(HostName.ownName().isBlank(), "name of this machine");
    }

    private static List<Operation> callsOfBuild(UnaryOperator<ReStoreBuilder> how) {
        CallRecorder recorder = new CallRecorder();
        try (LocalCluster cluster = LocalCluster.builder(PES).singleStepping(1).faults(recorder).build()) {
            PeOutcome.values(cluster.run(world -> build(world, how)));
        }
        return recorder.calls().stream().filter(call -> call.originalRank() == 1).map(CallRecorder.Call::operation)
                .toList();
    }

    private static long build(Communicator world, UnaryOperator<ReStoreBuilder> how) {
        try (ReStore store = how.apply(DomainStorePrograms.builder(world)).build()) {
            return store.generation();
        }
    }
}

package org.restorej.readme;

import java.lang.foreign.ValueLayout;
import org.restorej.ReStore;
import org.restorej.StoreRisk;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;

/** Eight PEs on four nodes, dealt out round robin; a whole node fails. */
public class NodeFailure {
    static String run(Communicator world) {
        String node = "node" + world.rank() % 4; // on a cluster, the name of the host
        try (ReStore store = ReStore.builder(world).blocks(8000).blockSizeBytes(Long.BYTES).replication(2)
                .failureDomain(node).build()) {
            store.submit(BlockRange.of(world.rank() * 1000L, 1000),
                    (id, block) -> block.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, id));
            FailureSimulation.of(world).fail(1, 5); // all of node1
            world.revoke();
            store.recover(world.shrink());
            StoreRisk after = store.risk();
            store.replenish();
            return "node1 has failed\n" + after + "replenished\n" + store.risk();
        }
    }

    public static void main(String[] args) {
        System.out.print(LocalCluster.run(8, NodeFailure::run).getFirst());
    }
}

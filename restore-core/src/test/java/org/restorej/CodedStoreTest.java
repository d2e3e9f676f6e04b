package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.report.Probability;

/** Coded stores of any shape, whatever is submitted, changed and lost. */
class CodedStoreTest {
    @Test
    void cellsAreNoLongerThanTheDataWhateverThePermutationRangeIs() {
        List<Long> bytes = LocalCluster.run(6, world -> {
            try (ReStore store = ReStore.builder(world).blocks(100).blockSizeBytes(8).coded(4, 2)
                    .permutationRangeBlocks(Long.MAX_VALUE).build()) {
                store.submit(BlockRange.of(world.rank() == 0 ? 0 : 100, world.rank() == 0 ? 100 : 0),
                        (id, block) -> {});
                return store.replicaBytes();
            }
        });
        assertEquals(6L * 25 * 8, bytes.stream().mapToLong(each -> each).sum());
    }

    @Test
    void damagedPartsMayMove() {
        LocalCluster.run(8, world -> {
            CodedStorePrograms.damagedPartsMove(world);
            return true;
        });
    }

    @Test
    void objectsOfOneSizeMayBeCoded() {
        List<Long> kept = LocalCluster.run(5, world -> {
            try (ReplicatedObjects<Long> squares = ReplicatedObjects.of(ReStore.builder(world).coded(3, 1), 100,
                    Codecs.LONG);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), 100),
                            CheckpointInterval.iterations(1))) {
                LocalObjects<Long> mine = loop.keep(squares.constant(id -> id * id));
                loop.evaluate(Communicator::size);
                FailureSimulation.of(world).fail(1);
                return loop.evaluate(survivors -> {
                    long[] right = {0};
                    mine.forEach((id, square) -> right[0] += square == id * id ? 1 : 0);
                    survivors.allReduce(right, Reduction.SUM);
                    return right[0];
                });
            }
        });
        assertEquals(Collections.nCopies(4, 100L), kept);
    }

    @Test
    void objectsAndStreamsOfDifferentSizesAreRefusedOnAllPes() {
        for (String message : LocalCluster.run(4, world -> {
            ReStoreBuilder coded = ReStore.builder(world).coded(2, 1);
            return assertThrows(IllegalArgumentException.class,
                    () -> ReplicatedObjects.of(coded, 100, Codecs.STRING)).getMessage()
                    + assertThrows(IllegalArgumentException.class, () -> ReplicatedStreams.of(coded, 100)).getMessage();
        })) {
            assertTrue(message.contains("coded(2, 1), variableBlockSizes(256)"), message);
            assertTrue(message.contains("coded(2, 1), variableBlockSizes(1048576)"), message);
        }
    }

    @Test
    void anyPartsMoreThanParityAreFatal() {
        LimitedRun.values(6, world -> {
            try (ReStore store = ReStore.builder(world).blocks(60).blockSizeBytes(8).coded(4, 2).build()) {
                store.submit(new Submission().add(
                        world.rank() == 0 ? BlockRange.of(0, 60) : BlockRange.of(0, 0), (id, block) -> {}));
                StoreRisk risk = store.risk();
                assertEquals(3, risk.fewestFailuresUntilLoss());
                // Any three of the one group of six.
                assertEquals(1, risk.groups());
                assertEquals(Probability.exactly(0), risk.afterFailures(2));
                assertEquals(Probability.exactly(1), risk.afterFailures(3));
                assertEquals(60L, store.report().blocksByReplicas().get(3));
            }
            return world.rank();
        });
    }
}

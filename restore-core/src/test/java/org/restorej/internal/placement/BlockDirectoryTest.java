package org.restorej.internal.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

class BlockDirectoryTest {
    @Test
    void countsOfReplicasAreThoseOfLookingAtEveryBlock() {
        AtomicInteger withLoss = new AtomicInteger();
        AtomicInteger withDamage = new AtomicInteger();
        SeededLaw.holds(1_000, random -> {
            BlockDirectory directory = directory(random);
            long[] blocks = new long[directory.replication() + 1];
            Placement placement = directory.replicaMap().placement();
            for (long position = 0; position < placement.blockCount(); position++) {
                int sound = soundReplicas(directory, position);
                blocks[sound]++;
            }
            assertArrayEquals(blocks, directory.blocksByReplicas(), () -> "of " + directory);
            withLoss.addAndGet(blocks[0] > 0 ? 1 : 0);
            withDamage.addAndGet(directory.damaged().isEmpty() ? 0 : 1);
        });
        assertTrue(withLoss.get() > 100 && withDamage.get() > 100,
                "the law was tried with losses " + withLoss + " and damage " + withDamage);
    }

    @Test
    void theLostBlocksAreThoseWithoutASoundReplica() {
        SeededLaw.holds(300, random -> {
            BlockDirectory directory = directory(random);
            BlockRanges lost = BlockRanges.EMPTY;
            for (long position = 0; position < directory.replicaMap().placement().blockCount(); position++) {
                if (soundReplicas(directory, position) == 0) {
                    lost = lost.union(BlockRanges.of(BlockRange.of(directory.permutation().blockAt(position), 1)));
                }
            }
            assertEquals(lost, directory.lostBlocks(), () -> "of " + directory);
        });
    }

    @Test
    void onlyWhatNobodyHasSoundStaysDamaged() {
        AtomicInteger beyondRepair = new AtomicInteger();
        SeededLaw.holds(300, random -> {
            BlockDirectory directory = directory(random);
            ReplicaMap replicaMap = directory.replicaMap();
            BlockDirectory repaired = directory.with(directory.stillDamaged());
            int[] holders = new int[directory.replication()];
            for (long position = 0; position < replicaMap.placement().blockCount(); position++) {
                int count = replicaMap.holders(position, holders);
                assertEquals(soundReplicas(directory, position) == 0 ? 0 : count, soundReplicas(repaired, position));
            }
            beyondRepair.addAndGet(repaired.damaged().count());
        });
        assertTrue(beyondRepair.get() > 20, () -> "chunks were damaged everywhere: " + beyondRepair);
    }

    @Test
    void replicasElsewhereAreDamagedAsBefore() {
        BlockDirectory directory = directory(new Random(1));
        ReplicaMap elsewhere = directory.replicaMap().lost(FailedRanks.of(0));
        assertEquals(new BlockDirectory(directory.permutation(), elsewhere, directory.grid(), directory.damaged()),
                directory.with(elsewhere));
    }

    private static int soundReplicas(BlockDirectory directory, long position) {
        ReplicaMap replicaMap = directory.replicaMap();
        int[] holders = new int[directory.replication()];
        int count = replicaMap.holders(position, holders);
        long chunk = directory.grid().chunkFirst(position);
        return (int) Arrays.stream(holders, 0, count).filter(holder -> !directory.damaged().contains(chunk, holder))
                .count();
    }

    /** Some have failed before the submission, more since; perhaps replicas were made anew before some of the failures. */
    private static BlockDirectory directory(Random random) {
        int pes = 1 + random.nextInt(9);
        long blocks = 1L + random.nextInt(random.nextBoolean() ? 6 : 200);
        int replication = 1 + random.nextInt(Math.min(pes, 4));
        Placement placement = new Placement(pes, blocks, replication);
        ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(5), random.nextLong());
        FailedRanks failed = random.nextBoolean() ? FailedRanks.NONE : Failures.someOf(pes, random);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, ring, failed);
        for (int burst = random.nextInt(3); burst > 0; burst--) {
            FailedRanks more = Failures.moreThan(failed, pes, random);
            replicaMap = replicaMap.lost(more.minus(failed));
            failed = more;
            if (random.nextBoolean()) {
                replicaMap = replicaMap.replenished(failed);
            }
        }
        ChunkGrid grid = new ChunkGrid(ring, 1 + random.nextInt(20));
        return new BlockDirectory(RangePermutation.feistel(blocks, 1 + random.nextInt(7), random.nextLong()),
                replicaMap, grid, damage(replicaMap, grid, random));
    }

    private static DamagedReplicas damage(ReplicaMap replicaMap, ChunkGrid grid, Random random) {
        DamagedReplicas damaged = DamagedReplicas.NONE;
        int[] holders = new int[replicaMap.placement().replication()];
        for (int hit = random.nextBoolean() ? 0 : random.nextInt(8); hit > 0; hit--) {
            long position = random.nextLong(replicaMap.placement().blockCount());
            int count = replicaMap.holders(position, holders);
            if (count > 0) {
                damaged = new DamagedReplicas.Builder(damaged)
                        .add(grid.chunkFirst(position), holders[random.nextInt(count)]).build();
            }
        }
        return damaged;
    }
}

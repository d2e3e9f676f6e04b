package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.SeededLaw;

class CheckedMemoryTest {
    /** Some sealed replicas of one PE, of which some have been damaged since. */
    private record Damaged(ReplicaMap replicaMap, ChunkGrid grid, int rank, ReplicaMemory memory,
            LongSet damagedChunks) implements AutoCloseable {
        static Damaged random(Random random) {
            int peCount = 1 + random.nextInt(4);
            Placement placement = new Placement(peCount, 1 + random.nextInt(120), 1 + random.nextInt(peCount));
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement,
                    new ReplicaRing(placement, 1 + random.nextInt(3), random.nextLong()), FailedRanks.NONE);
            ChunkGrid grid = new ChunkGrid(replicaMap.ring(), 1 + random.nextInt(9));
            int rank = random.nextInt(peCount);
            ReplicaMemory memory = ReplicaMemory.allocate(replicaMap, rank, 1, grid, new SegmentPool());
            LongSet damaged = new LongOpenHashSet();
            for (ReplicaRun run : memory.runs()) {
                for (long chunk = run.first(); chunk < run.end(); chunk = grid.chunkEnd(chunk)) {
                    MemorySegment block = memory.at(chunk, 1);
                    block.set(ValueLayout.JAVA_BYTE, 0, (byte) random.nextInt());
                    memory.seal(chunk);
                    if (random.nextInt(4) == 0) {
                        block.set(ValueLayout.JAVA_BYTE, 0, (byte) ~block.get(ValueLayout.JAVA_BYTE, 0));
                        damaged.add(chunk);
                    }
                }
            }
            return new Damaged(replicaMap, grid, rank, memory, damaged);
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    @Test
    void theChunksThatPositionsTouchAreCheckedOnce() {
        SeededLaw.holds(500, random -> {
            try (Damaged damaged = Damaged.random(random)) {
                CheckedMemory checked = new CheckedMemory(damaged.memory(), damaged.grid());
                LongSet found = new LongOpenHashSet();
                int looked = 0;
                for (ReplicaRun run : damaged.memory().runs()) {
                    long first = run.first() + random.nextLong(run.end() - run.first());
                    long count = 1 + random.nextLong(run.end() - first);
                    boolean sound = true;
                    for (long chunk = damaged.grid().chunkFirst(first); chunk < first + count; chunk = damaged.grid()
                            .chunkEnd(chunk)) {
                        looked++;
                        if (damaged.damagedChunks().contains(chunk)) {
                            found.add(chunk);
                            sound = false;
                        }
                    }
                    assertEquals(sound, checked.check(first, count));
                    assertEquals(sound, checked.check(first, count), "what was found is remembered");
                }
                assertEquals(found, checked.damagedChunks());
                assertEquals(looked, checked.checkedChunkCount());
            }
        });
    }

    @Test
    void whatIsNotHeldIsNotChecked() {
        SeededLaw.holds(200, random -> {
            try (Damaged damaged = Damaged.random(random)) {
                DamagedReplicas.Builder known = new DamagedReplicas.Builder(DamagedReplicas.NONE);
                LongSet expected = new LongOpenHashSet(damaged.damagedChunks());
                int chunks = 0;
                for (ReplicaRun run : damaged.memory().runs()) {
                    for (long chunk = run.first(); chunk < run.end(); chunk = damaged.grid().chunkEnd(chunk)) {
                        int rank = random.nextInt(3) - 1;
                        if (rank >= 0) {
                            known.add(chunk, rank);
                        }
                        if (rank == damaged.rank()) {
                            expected.remove(chunk);
                        } else {
                            chunks++;
                        }
                    }
                }
                BlockDirectory directory = new BlockDirectory(
                        RangePermutation.identity(damaged.replicaMap().placement().blockCount()), damaged.replicaMap(),
                        damaged.grid(), known.build());
                CheckedMemory checked = new CheckedMemory(damaged.memory(), damaged.grid());
                checked.checkAll(directory, damaged.rank());
                assertEquals(expected, checked.damagedChunks());
                assertEquals(chunks, checked.checkedChunkCount());
            }
        });
    }
}

package org.restorej;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.restorej.HealingStorePrograms.sumOverPes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.operation.Generation;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.report.Probability;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** Coded stores of any shape, whatever is submitted, changed and lost. */
class CodedStoreTest {
    private static final long SEED = Seed.of(CodedStoreTest.class);

    @Test
    void anyCodeKeepsItsBlocks() {
        runs(40, false);
    }

    @Test
    void anyCodeKeepsBlocksOfAnySizes() {
        runs(40, true);
    }

    @Deep
    @Test
    void anyOfManyCodesKeepsItsBlocks() {
        runs(1_500, false);
        runs(1_500, true);
    }

    /** Its last row has fewer cells, which makes it no more tolerant than others. */
    @Test
    void theLastRowIsLostWhenTheOthersAre() {
        deathsIn(-5006659943717371490L, false);
    }

    /** A part comes back to a PE that has had it when its blocks had other sizes. */
    @Test
    void aPartThatComesBackHasTheSizesOfToday() {
        deathsIn(-1601033132555758346L, true);
    }

    private static void runs(int count, boolean variable) {
        int deaths = 0;
        for (long run = 0; run < count; run++) {
            deaths += deathsIn(SEED * 10_000 + run, variable);
        }
        assertTrue(deaths > count / 2, "deaths: " + deaths);
    }

    private static int deathsIn(long seed, boolean variable) {
        int pes = 2 + new Random(seed).nextInt(8);
        try (LocalCluster cluster = LocalCluster.builder(pes).singleStepping(seed).build()) {
            return pes - PeOutcome.values(cluster.run(world -> new Life(world, seed, variable).run())).size();
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** What one PE does; all of them draw the same numbers. */
    private static final class Life {
        private final Random random;
        private final int parityParts;
        private final long blocks;
        private final long blockSizeBytes;
        private final boolean variable;
        private final ReStore store;
        private final boolean checksums;
        private final long[] versions;
        private Communicator comm;
        private long version;
        /** Deaths that no replenishment has made good yet. */
        private int unrepaired;

        Life(Communicator world, long seed, boolean variable) {
            random = new Random(seed);
            random.nextInt(8);
            comm = world;
            int parts = 2 + random.nextInt(world.size() - 1);
            parityParts = 1 + random.nextInt(parts - 1);
            blocks = 1 + random.nextLong(200);
            blockSizeBytes = 1 + random.nextLong(30);
            versions = new long[(int) blocks];
            this.variable = variable;
            int rangeBlocks = random.nextInt(30);
            int ringPoints = 1 + random.nextInt(8);
            checksums = random.nextInt(4) > 0;
            ReStoreBuilder builder = ReStore.builder(world).blocks(blocks);
            store = (variable ? builder.variableBlockSizes(blockSizeBytes) : builder.blockSizeBytes(blockSizeBytes))
                    .coded(parts - parityParts, parityParts).permutationRangeBlocks(rangeBlocks)
                    .ringPoints(ringPoints).checksums(checksums).seed(random.nextLong()).build();
        }

        int run() {
            submit();
            for (int step = 0; step < 12; step++) {
                switch (random.nextInt(variable ? 6 : 5)) {
                    case 0 -> submit();
                    case 1 -> change();
                    case 2 -> replenish();
                    case 5 -> damage();
                    default -> die();
                }
                check();
            }
            store.close();
            return comm.rank();
        }

        /** Runs of random lengths from random PEs. */
        private Submission part(BlockRange of) {
            Submission mine = new Submission();
            int longest = 1 + random.nextInt(60);
            for (long first = of.first(); first < of.end();) {
                long count = Math.min(of.end() - first, 1 + random.nextInt(longest));
                if (random.nextInt(comm.size()) == comm.rank()) {
                    add(BlockRange.of(first, count), mine);
                }
                for (long block = first; block < first + count; block++) {
                    versions[(int) block] = version;
                }
                first += count;
            }
            return mine;
        }

        private void add(BlockRange run, Submission mine) {
            if (variable) {
                mine.add(run, id -> sizeOf(id, version),
                        (id, block) -> new TestBlocks(block.byteSize(), version).write(id, block));
            } else {
                mine.add(run, new TestBlocks(blockSizeBytes, version)::write);
            }
        }

        /** Most have about the typical size, which odd versions leave as it is; some are empty, and a few long. */
        private long sizeOf(long id, long of) {
            if (!variable) {
                return blockSizeBytes;
            }
            return switch ((int) ((id * 31 + of / 2 * 7) % 13)) {
                case 0, 1, 2 -> 0;
                case 3 -> 40 * blockSizeBytes;
                default -> 1 + (id + of / 2) % (2 * blockSizeBytes);
            };
        }

        private void check(long id, MemorySegment block) {
            assertEquals(sizeOf(id, versions[(int) id]), block.byteSize(), "size of block " + id);
            new TestBlocks(block.byteSize(), versions[(int) id]).check(id, block);
        }

        private void submit() {
            version++;
            store.submit(part(BlockRange.of(0, blocks)));
            // Placed among those that are alive.
            unrepaired = 0;
        }

        private void change() {
            if (unrepaired > 0) {
                replenish();
            }
            version++;
            long first = random.nextInt((int) blocks);
            store.submitChanges(part(BlockRange.of(first, 1 + random.nextInt((int) (blocks - first)))));
        }

        private void replenish() {
            store.replenish();
            unrepaired = 0;
        }

        /** One bit of a cell on one PE, or of its sizes. */
        private void damage() {
            int victim = random.nextInt(comm.size());
            Random where = new Random(random.nextLong());
            if (mostVictims() < 1 || !checksums) {
                return;
            }
            Generation present = store.state().submitted("a test");
            ReplicaMemory memory = variable && where.nextBoolean()
                    ? Objects.requireNonNull(present.sizes())
                    : present.blocks();
            if (comm.rank() == victim) {
                flipABit(memory, where);
            }
            read();
            store.scrub();
            read();
            replenish();
            assertEquals(0L, store.scrub().damagedReplicas(), "damaged parts after a repair");
        }

        private void flipABit(ReplicaMemory memory, Random where) {
            long cellBlocks = Objects.requireNonNull(store.state().readable().directory().layout()).cellBlocks();
            List<MemorySegment> cells = new ArrayList<>();
            memory.forEachRun((first, count) -> {
                for (long cell = first; cell < first + count; cell += cellBlocks) {
                    cells.add(memory.at(cell, cellBlocks));
                }
            });
            cells.removeIf(cell -> cell.byteSize() == 0);
            if (!cells.isEmpty()) {
                MemorySegment cell = cells.get(where.nextInt(cells.size()));
                long index = where.nextLong(cell.byteSize());
                cell.set(ValueLayout.JAVA_BYTE, index,
                        (byte) (cell.get(ValueLayout.JAVA_BYTE, index) ^ 1 << where.nextInt(8)));
            }
        }

        /** Never so many that something can be lost: where fewer are alive than parts, some have several. */
        private int mostVictims() {
            int most = store.report().blocksByReplicas().size() - 1 - 1 - unrepaired;
            int fatal = store.risk().fewestFailuresUntilLoss();
            return Math.min(Math.min(most, fatal - 1), comm.size() - 1);
        }

        private void die() {
            int victims = mostVictims();
            if (victims < 1) {
                return;
            }
            int[] order = IntStream.range(0, comm.size()).toArray();
            for (int i = 0; i < victims; i++) {
                int other = i + random.nextInt(order.length - i);
                int moved = order[i];
                order[i] = order[other];
                order[other] = moved;
            }
            int count = 1 + random.nextInt(victims);
            sumOverPes(comm, 0);
            comm = FailingStorePrograms.kill(comm, IntStream.range(0, count).map(i -> order[i]).toArray());
            unrepaired += count;
            store.recover(comm);
        }

        private void check() {
            read();
            if (random.nextInt(4) == 0) {
                assertEquals(0L, store.scrub().damagedReplicas(), "damaged parts");
            }
        }

        private void read() {
            assertEquals(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            long first = random.nextInt((int) blocks);
            BlockRanges wanted = random.nextBoolean()
                    ? BlockRanges.of(0, blocks)
                    : BlockRanges.of(first, 1 + random.nextInt((int) (blocks - first)));
            if (variable && random.nextInt(3) == 0) {
                try (Arena arena = Arena.ofShared()) {
                    store.push(rank -> wanted, arena).forEach(this::check);
                }
            } else {
                store.pull(wanted, this::check);
            }
        }
    }

    @Test
    void streamsMayBeCoded() {
        long expected = LocalCluster.run(1, world -> StreamProgram.run(world, loop -> loop, StreamProgram.NEVER))
                .getFirst();
        List<Long> sums = LocalCluster.run(5, world -> StreamProgram.run(world, CheckpointLoop::incremental, 3,
                builder -> builder.coded(3, 1)));
        assertEquals(Collections.nCopies(4, expected), sums);
    }

    @Test
    void objectsOfDifferentSizesMayBeCoded() {
        List<Long> kept = LocalCluster.run(5, world -> {
            try (ReplicatedObjects<String> texts = ReplicatedObjects.of(ReStore.builder(world).coded(3, 1), 100,
                    Codecs.STRING);
                    CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), 100),
                            CheckpointInterval.iterations(1))) {
                LocalObjects<String> mine = loop.keep(texts.constant(CodedStoreTest::text));
                loop.evaluate(Communicator::size);
                FailureSimulation.of(world).fail(1);
                return loop.evaluate(survivors -> {
                    long[] right = {0};
                    mine.forEach((id, text) -> right[0] += text.equals(text(id)) ? 1 : 0);
                    survivors.allReduce(right, Reduction.SUM);
                    return right[0];
                });
            }
        });
        assertEquals(Collections.nCopies(4, 100L), kept);
    }

    private static String text(long id) {
        return "text".repeat((int) (id * id % 40)) + id;
    }

    @Test
    void anyPartsMoreThanParityAreFatal() {
        try (LocalCluster cluster = LocalCluster.builder(6).build()) {
            PeOutcome.values(cluster.run(world -> {
                try (ReStore store = ReStore.builder(world).blocks(60).blockSizeBytes(8).coded(4, 2).build()) {
                    store.submit(new Submission().add(
                            world.rank() == 0 ? BlockRange.of(0, 60) : BlockRange.of(0, 0), (id, block) -> {}));
                    StoreRisk risk = store.risk();
                    assertEquals(3, risk.fewestFailuresUntilLoss());
                    // Any three of six.
                    assertEquals(20, risk.copysets());
                    assertEquals(new Probability.Exact(0), risk.afterFailures(2));
                    assertEquals(new Probability.Exact(1), risk.afterFailures(3));
                    assertEquals(60L, store.report().blocksByReplicas().get(3));
                }
                return world.rank();
            }));
        }
    }
}

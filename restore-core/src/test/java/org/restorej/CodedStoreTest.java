package org.restorej;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.restorej.HealingStorePrograms.sumOverPes;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.report.Probability;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** Coded stores of any shape, whatever is submitted, changed and lost. */
class CodedStoreTest {
    private static final long SEED = Seed.of(CodedStoreTest.class);

    @Test
    void anyCodeKeepsItsBlocks() {
        runs(40);
    }

    @Deep
    @Test
    void anyOfManyCodesKeepsItsBlocks() {
        runs(1_500);
    }

    /** Its last row has fewer cells, which makes it no more tolerant than others. */
    @Test
    void theLastRowIsLostWhenTheOthersAre() {
        deathsIn(-5006659943717371490L);
    }

    private static void runs(int count) {
        int deaths = 0;
        for (long run = 0; run < count; run++) {
            deaths += deathsIn(SEED * 10_000 + run);
        }
        assertTrue(deaths > count / 2, "deaths: " + deaths);
    }

    private static int deathsIn(long seed) {
        int pes = 2 + new Random(seed).nextInt(8);
        try (LocalCluster cluster = LocalCluster.builder(pes).singleStepping(seed).build()) {
            return pes - PeOutcome.values(cluster.run(world -> new Life(world, seed).run())).size();
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
        private final ReStore store;
        private final long[] versions;
        private Communicator comm;
        private long version;
        /** Deaths that no replenishment has made good yet. */
        private int unrepaired;

        Life(Communicator world, long seed) {
            random = new Random(seed);
            random.nextInt(8);
            comm = world;
            int parts = 2 + random.nextInt(world.size() - 1);
            parityParts = 1 + random.nextInt(parts - 1);
            blocks = 1 + random.nextLong(200);
            blockSizeBytes = 1 + random.nextLong(30);
            versions = new long[(int) blocks];
            store = ReStore.builder(world).blocks(blocks).blockSizeBytes(blockSizeBytes)
                    .coded(parts - parityParts, parityParts).permutationRangeBlocks(random.nextInt(30))
                    .ringPoints(1 + random.nextInt(8)).checksums(random.nextInt(4) > 0).seed(random.nextLong()).build();
        }

        int run() {
            submit();
            for (int step = 0; step < 12; step++) {
                switch (random.nextInt(5)) {
                    case 0 -> submit();
                    case 1 -> change();
                    case 2 -> replenish();
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
            TestBlocks content = new TestBlocks(blockSizeBytes, version);
            int longest = 1 + random.nextInt(60);
            for (long first = of.first(); first < of.end();) {
                long count = Math.min(of.end() - first, 1 + random.nextInt(longest));
                if (random.nextInt(comm.size()) == comm.rank()) {
                    mine.add(BlockRange.of(first, count), content::write);
                }
                for (long block = first; block < first + count; block++) {
                    versions[(int) block] = version;
                }
                first += count;
            }
            return mine;
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

        /** Never so many that something can be lost: where fewer are alive than parts, some have several. */
        private void die() {
            int most = store.report().blocksByReplicas().size() - 1 - 1 - unrepaired;
            int fatal = store.risk().fewestFailuresUntilLoss();
            int victims = Math.min(Math.min(most, fatal - 1), comm.size() - 1);
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
            assertEquals(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            long first = random.nextInt((int) blocks);
            BlockRanges wanted = random.nextBoolean()
                    ? BlockRanges.of(0, blocks)
                    : BlockRanges.of(first, 1 + random.nextInt((int) (blocks - first)));
            store.pull(wanted, (id, block) -> new TestBlocks(blockSizeBytes, versions[(int) id]).check(id, block));
            if (random.nextInt(4) == 0) {
                assertEquals(0L, store.scrub().damagedReplicas(), "damaged parts");
            }
        }
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

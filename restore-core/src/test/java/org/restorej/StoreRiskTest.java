package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SortedSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.risk.DisjointGroups;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

/** What a store says of its risk, against residencies that lose every set of PEs in turn. */
class StoreRiskTest {
    private static final long CHUNK_BLOCKS = 4;

    private static BlockDirectory directory(ReplicaMap replicaMap, DamagedReplicas damaged) {
        return new BlockDirectory(RangePermutation.identity(replicaMap.placement().blockCount()), replicaMap,
                new ChunkGrid(replicaMap.ring(), CHUNK_BLOCKS), damaged);
    }

    private static long lostBlocks(ReplicaMap replicaMap, DamagedReplicas damaged) {
        return directory(replicaMap, damaged).lostBlocks().blockCount();
    }

    /** Losses and replenishments in turn, the last of them either. */
    private record History(ReplicaMap replicaMap, FailedRanks failed) {
        static History random(Placement placement, int pieces, Random random) {
            ReplicaMap replicaMap = ReplicaMap.placedWithout(placement,
                    new ReplicaRing(placement, pieces, random.nextLong()),
                    FailedRanks.NONE);
            FailedRanks failed = FailedRanks.NONE;
            for (int event = random.nextInt(4); event > 0; event--) {
                int[] alive = Failures.alive(failed, placement.peCount());
                if (random.nextBoolean()) {
                    replicaMap = replicaMap.replenished(failed);
                } else if (alive.length > 1) {
                    failed = failed.union(FailedRanks.of(alive[random.nextInt(alive.length)]));
                    replicaMap = replicaMap.lost(failed);
                }
            }
            return new History(replicaMap, failed);
        }
    }

    private static Placement randomPlacement(Random random) {
        int peCount = 2 + random.nextInt(8);
        int replication = 1 + random.nextInt(Math.min(peCount, 4));
        long blocks = 1L + random.nextInt(60);
        return random.nextBoolean()
                ? new Placement(peCount, blocks, replication)
                : Placement.separating(blocks, replication,
                        FailureDomains.of(random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray()));
    }

    @Test
    void isThatOfLosingEverySetOfPesInTurn() {
        int[] replenished = new int[1];
        SeededLaw.holds(150, random -> {
            History history = History.random(randomPlacement(random), 1 + random.nextInt(4), random);
            StoreRisk risk = StoreRisk.of(directory(history.replicaMap(), DamagedReplicas.NONE), history.failed());
            int peCount = history.replicaMap().placement().peCount();
            int[] alive = Failures.alive(history.failed(), peCount);
            assertEquals(alive.length, risk.alive());
            check(counted(history, DamagedReplicas.NONE, IntStream.of(alive).mapToObj(FailedRanks::of).toList()),
                    risk);
            FailureDomains domains = FailureDomains.of(random.ints(peCount, 0, 4).toArray());
            check(counted(history, DamagedReplicas.NONE, aliveDomains(domains, history.failed())),
                    risk.ofDomains(domains));
            replenished[0] += IntStream.range(0, peCount).anyMatch(range -> isCut(history.replicaMap(), range)) ? 1 : 0;
        });
        assertTrue(replenished[0] > 10, () -> "only " + replenished[0] + " histories with replicas made anew");
    }

    private static boolean isCut(ReplicaMap replicaMap, int range) {
        long first = replicaMap.placement().firstPosition(range);
        long end = replicaMap.placement().firstPosition(range + 1);
        return first < end && replicaMap.end(first) < end;
    }

    private static List<FailedRanks> aliveDomains(FailureDomains domains, FailedRanks failed) {
        return IntStream.range(0, domains.domainCount())
                .mapToObj(domain -> FailedRanks.of(IntStream.range(0, domains.size(domain))
                        .map(i -> domains.rankAt(domains.start(domain) + i)).toArray()))
                .filter(ranks -> !ranks.minus(failed).isEmpty()).toList();
    }

    /** For each number of units the share of their sets whose failure loses more than is lost. */
    private static double[] counted(History history, DamagedReplicas damaged, List<FailedRanks> units) {
        long before = lostBlocks(history.replicaMap(), damaged);
        double[] losses = new double[units.size() + 1];
        double[] all = new double[units.size() + 1];
        for (int failed = 0; failed < 1 << units.size(); failed++) {
            FailedRanks ranks = FailedRanks.NONE;
            for (int unit = 0; unit < units.size(); unit++) {
                ranks = (failed >> unit & 1) == 1 ? ranks.union(units.get(unit)) : ranks;
            }
            losses[Integer.bitCount(failed)] += lostBlocks(history.replicaMap().lost(ranks), damaged) > before ? 1 : 0;
            all[Integer.bitCount(failed)]++;
        }
        return IntStream.rangeClosed(0, units.size()).mapToDouble(size -> losses[size] / all[size]).toArray();
    }

    private static void check(double[] counted, StoreRisk risk) {
        for (int failures = 0; failures < counted.length; failures++) {
            Probability probability = risk.afterFailures(failures);
            if (probability.isExact()) {
                assertEquals(counted[failures], probability.value(), 1e-12, "after " + failures + " failures");
            } else {
                assertTrue(probability.value() >= counted[failures] - 1e-12, "after " + failures + " failures");
            }
        }
    }

    @Test
    void damagedReplicasDontCount() {
        SeededLaw.holds(60, random -> {
            History history = History.random(randomPlacement(random), 1 + random.nextInt(4), random);
            Placement placement = history.replicaMap().placement();
            ChunkGrid grid = new ChunkGrid(history.replicaMap().ring(), CHUNK_BLOCKS);
            DamagedReplicas.Builder damage = new DamagedReplicas.Builder(DamagedReplicas.NONE);
            for (int i = 0; i < 3; i++) {
                damage.add(grid.chunkFirst(random.nextLong(placement.blockCount())),
                        random.nextInt(placement.peCount()));
            }
            DamagedReplicas damaged = damage.build();
            StoreRisk risk = StoreRisk.of(directory(history.replicaMap(), damaged), history.failed());
            int[] alive = Failures.alive(history.failed(), placement.peCount());
            check(counted(history, damaged, IntStream.of(alive).mapToObj(FailedRanks::of).toList()), risk);
        });
    }

    @Test
    void namesWhatIsOneFailureFromLoss() {
        int[] atRisk = new int[1];
        SeededLaw.holds(200, random -> {
            History history = History.random(randomPlacement(random), 1 + random.nextInt(4), random);
            BlockDirectory directory = directory(history.replicaMap(), DamagedReplicas.NONE);
            StoreRisk risk = StoreRisk.of(directory, history.failed());
            Placement placement = history.replicaMap().placement();
            BlockRanges lost = directory.lostBlocks();
            BlockRanges expected = BlockRanges.EMPTY;
            for (int rank : Failures.alive(history.failed(), placement.peCount())) {
                expected = expected.union(directory(history.replicaMap().lost(FailedRanks.of(rank)),
                        DamagedReplicas.NONE).lostBlocks().minus(lost));
            }
            assertEquals(expected, risk.blocksOneFailureFromLoss());
            BlockRanges blocks = expected;
            assertEquals(LongStream.range(0, placement.blockCount()).filter(blocks::contains)
                    .mapToInt(placement::rangeOf).distinct().boxed().toList(),
                    List.copyOf(risk.rangesOneFailureFromLoss()));
            atRisk[0] += expected.isEmpty() ? 0 : 1;
        });
        assertTrue(atRisk[0] > 40, () -> "only " + atRisk[0] + " cases with something at risk");
    }

    @Test
    void isExactAtManyPesUntilSomethingIsMadeAnew() {
        Placement placement = new Placement(24_576, 1L << 20, 4);
        ReplicaMap replicaMap = ReplicaMap.placedWithout(placement, new ReplicaRing(placement, 16, 1),
                FailedRanks.NONE);
        StoreRisk before = StoreRisk.of(directory(replicaMap, DamagedReplicas.NONE), FailedRanks.NONE);
        double formula = DisjointGroups.lossProbability(24_576, 4, 246);
        assertEquals(formula, before.afterFailures(246).value(), 1e-8 * formula);
        FailedRanks two = FailedRanks.of(0, 6144);
        StoreRisk after = StoreRisk.of(directory(replicaMap.lost(two), DamagedReplicas.NONE), two);
        // The other two of the group: one pair of 24,574 * 24,573 / 2.
        Probability pair = after.afterFailures(2);
        assertTrue(pair.isExact());
        assertEquals(2 / (24_574.0 * 24_573), pair.value(), 1e-20);
        assertEquals(2, after.fewestFailuresUntilLoss());
        StoreRisk healed = StoreRisk.of(directory(replicaMap.lost(two).replenished(two), DamagedReplicas.NONE), two);
        assertEquals(4, healed.fewestFailuresUntilLoss());
        Probability bound = healed.afterFailures(246);
        assertTrue(!bound.isExact());
        assertEquals(formula, bound.value(), 0.05 * formula);
    }

    @Test
    void aStoreTellsItsRiskBeforeAndAfterAFailureAndAReplenishment() {
        List<String> texts = LimitedRun.values(8, world -> {
            try (ReStore store = ReStore.builder(world).blocks(800).blockSizeBytes(8).replication(2)
                    .failureDomain("node" + world.rank() % 4).build()) {
                assertEquals("risk needs a submission: nothing has been submitted",
                        assertThrows(IllegalStateException.class, store::risk).getMessage());
                store.submit(BlockRange.of(world.rank() * 100L, 100), (id, block) -> block.fill((byte) id));
                StoreRisk before = store.risk();
                // Four pairs, of 28.
                assertEquals(4 / 28.0, before.afterFailures(2).value(), 1e-12);
                assertEquals(Probability.exactly(0),
                        before.ofDomains(domains(store).getFirst()).afterFailures(1));
                Communicator comm = Failures.lose(world, 5);
                store.recover(comm);
                StoreRisk after = store.risk();
                SortedSet<Integer> ranges = after.rangesOneFailureFromLoss();
                assertEquals(200, after.blocksOneFailureFromLoss().blockCount());
                assertEquals(store.report().blocksAtRisk(), after.blocksOneFailureFromLoss().blockCount());
                assertEquals(1 / 7.0, after.afterFailures(1).value(), 1e-12);
                assertThrows(UnsupportedOperationException.class, () -> ranges.add(1));
                store.replenish();
                assertEquals(Probability.exactly(0), store.risk().afterFailures(1));
                assertEquals(BlockRanges.EMPTY, store.risk().blocksOneFailureFromLoss());
                assertEquals(Probability.exactly(0),
                        store.risk().ofDomains(domains(store).getFirst()).afterFailures(1));
                return after.toString();
            }
        });
        assertEquals(1, texts.stream().distinct().count(), "different on different PEs");
        assertEquals(String.join(System.lineSeparator(),
                "7 of 8 PEs alive; 2 block ranges with 200 blocks one failure from loss", "1 further PE: 0.143",
                "2 further PEs: at most 0.429", "3 further PEs: at most 0.857", "1 further failure domain: 0.250",
                "2 further failure domains: at most 0.833", ""), texts.getFirst());
    }

    private static List<FailureDomains> domains(ReStore store) {
        return store.placement().domains();
    }
}

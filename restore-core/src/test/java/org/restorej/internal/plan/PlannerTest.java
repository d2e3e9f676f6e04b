package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RandomDomains;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.testing.Deep;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

/** The plans of all PEs, made without any of them. */
class PlannerTest {
    private static final int SMALL_BLOCK = 8;

    private static Peers peers(int rank, int size) {
        return new Peers(rank, size, storeRank -> storeRank);
    }

    /** A directory in which further PEs have failed since the replicas were placed. */
    private static BlockDirectory withLosses(Random random) {
        BlockDirectory whole = Scenario.random(random).directory();
        int peCount = whole.replicaMap().placement().peCount();
        return whole.with(whole.replicaMap()
                .lost(Failures.moreThan(whole.replicaMap().everFailed(), peCount, random)));
    }

    private static BlockRanges someOf(long blocks, Random random) {
        List<BlockRange> runs = new ArrayList<>();
        for (int run = random.nextInt(5); run > 0 && blocks > 0; run--) {
            long first = random.nextLong(blocks);
            runs.add(BlockRange.of(first, random.nextLong(blocks - first) + 1));
        }
        return BlockRanges.of(runs);
    }

    private static boolean isHolder(BlockDirectory directory, long position, int rank) {
        int[] holders = new int[directory.replication()];
        int count = directory.holders(position, holders);
        return Arrays.stream(holders, 0, count).anyMatch(holder -> holder == rank);
    }

    /** Notes the slots of pieces, each of which must be new. */
    private static void note(PieceTable pieces, int first, int end, BitSet slots) {
        for (int piece = first; piece < end; piece++) {
            for (long i = 0; i < pieces.count(piece); i++) {
                int slot = (int) (pieces.slot(piece) + i);
                assertFalse(slots.get(slot), "a slot is planned twice");
                slots.set(slot);
            }
        }
    }

    @Test
    void aPullAsksHoldersForEachWantedBlockOnceAndNamesTheLost() {
        SeededLaw.holds(500, random -> {
            BlockDirectory directory = withLosses(random);
            int peCount = directory.replicaMap().placement().peCount();
            BlockRanges wanted = someOf(directory.replicaMap().placement().blockCount(), random);
            int batchPieces = 1 + random.nextInt(20);
            ReadPlanner planner = new ReadPlanner(directory, peers(random.nextInt(peCount), peCount), wanted,
                    1L << random.nextInt(20), batchPieces);
            BitSet slots = new BitSet();
            do {
                PieceTable batch = planner.next();
                // The last piece may be served in several shares.
                assertTrue(batch.size() < batchPieces + directory.replication(), "pieces of a batch: " + batch.size());
                note(batch, 0, batch.size(), slots);
                for (int group = 0; group < batch.peerCount(); group++) {
                    for (int piece = batch.start(group); piece < batch.start(group + 1); piece++) {
                        assertEquals(directory.permutation().positionOf(wanted.blockAt(batch.slot(piece))),
                                batch.position(piece));
                        assertTrue(isHolder(directory, batch.position(piece), batch.peer(group)));
                    }
                }
            } while (planner.hasNext());
            PieceTable lost = planner.lost();
            note(lost, 0, lost.size(), slots);
            assertEquals(wanted.blockCount(), slots.cardinality());
            long lostBlocks = 0;
            for (int piece = 0; piece < lost.size(); piece++) {
                assertFalse(directory.lostBlocks().intersect(BlockRanges.of(
                        wanted.blockAt(lost.slot(piece)), 1)).isEmpty());
                lostBlocks += lost.count(piece);
            }
            assertEquals(directory.lostBlocks().intersect(wanted).blockCount(), lostBlocks);
        });
    }

    /** The pieces of a group as a text; none where there is no such group. */
    private static String text(PieceTable pieces, int group) {
        StringBuilder text = new StringBuilder();
        if (group >= 0 && group < pieces.peerCount()) {
            for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
                text.append(pieces.position(piece)).append('+').append(pieces.count(piece)).append(' ');
            }
        }
        return text.toString();
    }

    @Test
    void aReplenishmentBringsEveryMissingReplicaOnce() {
        SeededLaw.holds(300, random -> checkReplenishment(withLosses(random)));
    }

    /** So many that a PE looks at some of the ranges only, in which something was lost. */
    @Deep
    @Test
    void aReplenishmentOfManyPesBringsEveryMissingReplicaOnce() {
        SeededLaw.holds(12, random -> {
            int peCount = 100 + random.nextInt(150);
            int replication = 2 + random.nextInt(3);
            Placement placement = random.nextBoolean()
                    ? new Placement(peCount, 4L * peCount, replication)
                    : Placement.separating(4L * peCount, replication,
                            RandomDomains.domains(peCount, random));
            ReplicaRing ring = new ReplicaRing(placement, 1 + random.nextInt(4), random.nextLong());
            FailedRanks first = Failures.some(peCount, peCount / 4, random);
            ReplicaMap placed = ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE).lost(first);
            checkReplenishment(directory(placed));
            FailedRanks second = first.union(Failures.some(peCount, peCount / 10, random));
            checkReplenishment(directory(placed.replenished(first).lost(second)));
        });
    }

    /** Also of PEs that have failed or never held the chunk, as it may have been agreed before. */
    @Test
    void aReplenishmentRepairsEveryDamagedReplicaOnceThatAnybodyHasSound() {
        int[] repairs = new int[1];
        SeededLaw.holds(300, random -> {
            BlockDirectory whole = withLosses(random);
            long blocks = whole.replicaMap().placement().blockCount();
            DamagedReplicas.Builder damaged = new DamagedReplicas.Builder(DamagedReplicas.NONE);
            for (int hit = random.nextInt(12); hit > 0 && blocks > 0; hit--) {
                damaged.add(whole.grid().chunkFirst(random.nextLong(blocks)),
                        random.nextInt(whole.replicaMap().placement().peCount()));
            }
            BlockDirectory directory = whole.with(damaged.build());
            checkReplenishment(directory);
            repairs[0] += checkReplenishment(directory, directory.replicaMap());
        });
        assertTrue(repairs[0] > 500, () -> "blocks were repaired: " + repairs[0]);
    }

    @Test
    void aPeWithoutAStoreRankReplenishesNothing() {
        BlockDirectory before = directory(ReplicaMap.placedWithout(new Placement(4, 40, 2),
                new ReplicaRing(new Placement(4, 40, 2), 2, 1), FailedRanks.NONE).lost(FailedRanks.of(1)));
        ReplenishPlan plan = ReplenishPlan.of(before, before.replicaMap().replenished(FailedRanks.of(1)),
                new Peers(-1, 4, storeRank -> storeRank));
        assertEquals(0, plan.incoming().size());
        assertEquals(0, plan.outgoing().size());
    }

    private static BlockDirectory directory(ReplicaMap replicaMap) {
        return new BlockDirectory(RangePermutation.identity(replicaMap.placement().blockCount()), replicaMap,
                new ChunkGrid(replicaMap.ring(), 1), DamagedReplicas.NONE);
    }

    private static void checkReplenishment(BlockDirectory before) {
        checkReplenishment(before, before.replicaMap().replenished(before.replicaMap().everFailed()));
    }

    /** Also says how many blocks come to all PEs. */
    private static int checkReplenishment(BlockDirectory before, ReplicaMap after) {
        int peCount = before.replicaMap().placement().peCount();
        List<ReplenishPlan> plans = new ArrayList<>();
        for (int rank = 0; rank < peCount; rank++) {
            plans.add(ReplenishPlan.of(before, after, peers(rank, peCount)));
        }
        BlockDirectory repaired = before.with(after).with(before.stillDamaged());
        int blocks = 0;
        for (int rank = 0; rank < peCount; rank++) {
            PieceTable incoming = plans.get(rank).incoming();
            BitSet received = new BitSet();
            for (int sender = 0; sender < peCount; sender++) {
                PieceTable sent = plans.get(sender).outgoing();
                assertEquals(text(sent, sent.groupOf(rank)), text(incoming, incoming.groupOf(sender)));
            }
            for (int group = 0; group < incoming.peerCount(); group++) {
                for (int piece = incoming.start(group); piece < incoming.start(group + 1); piece++) {
                    int first = (int) incoming.position(piece);
                    int end = first + (int) incoming.count(piece);
                    assertTrue(isHolder(before, first, incoming.peer(group)));
                    assertTrue(received.get(first, end).isEmpty(), "a block comes twice");
                    received.set(first, end);
                }
            }
            for (int position = 0; position < before.replicaMap().placement().blockCount(); position++) {
                assertEquals(isHolder(repaired, position, rank) && !isHolder(before, position, rank),
                        received.get(position), "position " + position + " of PE " + rank);
            }
            blocks += received.cardinality();
        }
        return blocks;
    }

    @Test
    void aSubmissionGoesToAllHoldersWithTheChecksumsOfWholeChunks() {
        SeededLaw.holds(300, random -> {
            BlockDirectory directory = withLosses(random);
            int peCount = directory.replicaMap().placement().peCount();
            long blocks = directory.replicaMap().placement().blockCount();
            SubmitPlanner planner = new SubmitPlanner(directory, peers(0, peCount), true, null, null);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(blocks * SMALL_BLOCK + 1).asSlice(0, blocks * SMALL_BLOCK);
                SubmitPlan plan = planner.plan(new SourceRuns(List.of(
                        new SourceRuns.Run(BlockRange.of(0, blocks), new UniformLayout(blocks, SMALL_BLOCK), 0,
                                bytes))),
                        arena);
                PieceTable pieces = plan.pieces();
                for (int rank = 0; rank < peCount; rank++) {
                    BitSet slots = new BitSet();
                    int group = pieces.groupOf(rank);
                    if (group >= 0) {
                        note(pieces, pieces.start(group), pieces.start(group + 1), slots);
                        checkChecksums(directory, plan, rank, group);
                    }
                    for (int block = 0; block < blocks; block++) {
                        assertEquals(isHolder(directory, directory.permutation().positionOf(block), rank),
                                slots.get(block), "block " + block + " of PE " + rank);
                    }
                }
            }
            assertEquals(directory.lostBlocks().isEmpty(), planner.withoutHolder().isEmpty());
        });
    }

    /** One PE, one piece of 20 positions, so that the chunks of 4 begin at 0, 4, 8, 12 and 16. */
    private static BlockDirectory onePe() {
        Placement placement = new Placement(1, 20, 1);
        ReplicaRing ring = new ReplicaRing(placement, 1, 1);
        return new BlockDirectory(RangePermutation.identity(20),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE), new ChunkGrid(ring, 4),
                DamagedReplicas.NONE);
    }

    private static PieceTable pieceOf(long position, long count) {
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(0, position, count, 0);
        return builder.build(1);
    }

    @Test
    void chunksThatArriveInPiecesAreUnsealed() {
        for (int first = 0; first < 20; first++) {
            for (int count = 1; count <= 20 - first; count++) {
                SubmitPlanner planner = new SubmitPlanner(onePe(), peers(0, 1), true, null, null);
                planner.noteArrived(pieceOf(first, count), 0);
                LongSet cut = new LongOpenHashSet();
                for (long chunk = 0; chunk < 20; chunk += 4) {
                    long arrived = Math.min(first + count, chunk + 4) - Math.max(first, chunk);
                    if (arrived > 0 && arrived < 4) {
                        cut.add(chunk);
                    }
                }
                assertEquals(cut, planner.unsealedChunks(), first + " + " + count);
            }
        }
    }

    @Test
    void withoutChecksumsNoneIsMadeAndNoChunkIsUnsealed() {
        SubmitPlanner planner = new SubmitPlanner(onePe(), peers(0, 1), false, null, null);
        planner.noteArrived(pieceOf(1, 2), 0);
        assertEquals(new LongOpenHashSet(), planner.unsealedChunks());
        try (Arena arena = Arena.ofConfined()) {
            SubmitPlan plan = planner.plan(new SourceRuns(List.of(new SourceRuns.Run(BlockRange.of(0, 20),
                    new UniformLayout(20, SMALL_BLOCK), 0, arena.allocate(20 * SMALL_BLOCK)))), arena);
            assertEquals(1, plan.pieces().size());
            assertEquals(0, plan.checksumPieces().size());
            assertEquals(0, plan.checksums().byteSize());
        }
    }

    @Test
    void whatArrivesIsCoveredUnlessNothingDoes() {
        BlockDirectory directory = onePe();
        Coverage coverage = new Coverage(directory.replicaMap(), directory.permutation(), 0);
        SubmitPlanner planner = new SubmitPlanner(directory, peers(0, 1), true, coverage, null);
        planner.noteArrived(new PieceTable.Builder().build(1), -1);
        assertEquals("{0..19}", coverage.missing().toString());
        planner.noteArrived(pieceOf(3, 9), 0);
        assertEquals("{0..2, 12..19}", coverage.missing().toString());
    }

    private static void checkChecksums(BlockDirectory directory, SubmitPlan plan, int rank, int group) {
        long wholeChunks = 0;
        PieceTable pieces = plan.pieces();
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            long end = pieces.position(piece) + pieces.count(piece);
            for (long position = pieces.position(piece); position < end; position++) {
                wholeChunks += directory.grid().chunkFirst(position) == position
                        && directory.grid().chunkEnd(position) <= end ? 1 : 0;
            }
        }
        long checksums = 0;
        int trailer = plan.checksumPieces().groupOf(rank);
        for (int piece = 0; trailer >= 0 && piece < plan.checksumPieces().size(); piece++) {
            checksums += piece >= plan.checksumPieces().start(trailer)
                    && piece < plan.checksumPieces().start(trailer + 1) ? plan.checksumPieces().count(piece) : 0;
        }
        assertEquals(wholeChunks, checksums);
    }
}

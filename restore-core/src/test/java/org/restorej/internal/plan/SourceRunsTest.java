package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.placement.RangePermutation;
import org.restorej.internal.placement.ReplicaMap;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.internal.storage.Checksum;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

class SourceRunsTest {
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void free() {
        arena.close();
    }

    private SourceRuns.Run uniform(long first, long count, long blockSizeBytes) {
        return new SourceRuns.Run(BlockRange.of(first, count), new UniformLayout(count, blockSizeBytes), 0,
                arena.allocate(count * blockSizeBytes));
    }

    private SourceRuns.Run variable(long first, long... sizes) {
        MemorySegment written = arena.allocate((long) sizes.length * VariableLayout.SIZE_BYTES);
        for (int i = 0; i < sizes.length; i++) {
            VariableLayout.putSize(written, i, sizes[i]);
        }
        VariableLayout layout = new VariableLayout(written, arena);
        return new SourceRuns.Run(BlockRange.of(first, sizes.length), layout, 0, arena.allocate(layout.bytes()));
    }

    private static void checkSlice(SourceRuns.Run run, long offset, long bytes, MemorySegment segment) {
        assertEquals(run.bytes().address() + offset, segment.address());
        assertEquals(bytes, segment.byteSize());
    }

    @Test
    void slotsNumberTheBlocksOfOneRunAfterTheOther() {
        SourceRuns.Run first = uniform(70, 3, 8);
        SourceRuns.Run second = variable(10, 5, 1, 0, 7);
        SourceRuns.Run third = uniform(40, 2, 16);
        SourceRuns runs = new SourceRuns(List.of(first, second, third));
        assertEquals(3, runs.count());
        assertEquals(9, runs.blockCount());
        assertEquals(BlockRange.of(10, 4), runs.blocks(1));
        assertArrayEquals(new long[]{0, 3, 7}, new long[]{runs.firstSlot(0), runs.firstSlot(1), runs.firstSlot(2)});
        checkSlice(first, 0, 24, runs.at(0, 3));
        checkSlice(first, 8, 16, runs.at(1, 2));
        checkSlice(second, 0, 6, runs.at(3, 2));
        checkSlice(second, 5, 1, runs.at(4, 2));
        checkSlice(second, 6, 7, runs.at(5, 2));
        checkSlice(third, 16, 16, runs.at(8, 1));
    }

    @Test
    void aRunMayBeAPartOfALayout() {
        SourceRuns.Run all = variable(10, 5, 1, 0, 7);
        SourceRuns.Run rest = new SourceRuns.Run(BlockRange.of(11, 3), all.layout(), 1, arena.allocate(8));
        SourceRuns runs = new SourceRuns(List.of(uniform(0, 4, 8), rest));
        checkSlice(rest, 0, 1, runs.at(4, 2));
        checkSlice(rest, 1, 7, runs.at(5, 2));
    }

    @Test
    void runsWithoutBlocksHaveNoSlots() {
        SourceRuns.Run second = uniform(10, 2, 8);
        SourceRuns.Run fifth = uniform(20, 1, 16);
        SourceRuns runs = new SourceRuns(
                List.of(uniform(5, 0, 8), second, uniform(15, 0, 8), uniform(16, 0, 8), fifth));
        assertEquals(5, runs.count());
        checkSlice(second, 0, 8, runs.at(0, 1));
        checkSlice(second, 8, 8, runs.at(1, 1));
        checkSlice(fifth, 0, 16, runs.at(2, 1));
    }

    @Test
    void aGroupTravelsFromWhereItsBlocksAre() {
        SourceRuns.Run first = uniform(70, 3, 8);
        SourceRuns.Run second = uniform(10, 4, 16);
        PieceTable.Builder builder = new PieceTable.Builder();
        builder.add(0, 700, 1, 0);
        builder.add(2, 710, 2, 1);
        builder.add(2, 100, 3, 4);
        List<MemorySegment> blocks = builder.build(3).bySlot(1, new SourceRuns(List.of(first, second))::at);
        assertEquals(2, blocks.size());
        checkSlice(first, 8, 16, blocks.get(0));
        checkSlice(second, 16, 48, blocks.get(1));
    }

    /** Two PEs hold two ranges, each in two pieces of 10 positions: the chunks of 4 begin at 0, 4, 8, 10, 12 and 16. */
    @Test
    void theChecksumsOfWholeChunksGoToWhoGetsTheirPiece() {
        // Of positions 3 to 12, slots 0 to 9, the chunks 4 to 7, 8 to 9 and 10 to 11 are whole.
        SourceRuns.Run long1 = numbered(3, 10);
        // Of positions 17 to 19 none is.
        SourceRuns.Run short1 = numbered(17, 3);
        // Of positions 16 to 19 the only one is, with slots 13 to 16.
        SourceRuns.Run whole = numbered(16, 4);
        SourceRuns runs = new SourceRuns(List.of(long1, short1, whole));
        assertEquals(10 + 3 + 4, runs.blockCount());
        Placement placement = new Placement(2, 40, 2);
        ReplicaRing ring = new ReplicaRing(placement, 2, 1);
        BlockDirectory directory = new BlockDirectory(RangePermutation.identity(40),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE), new ChunkGrid(ring, 4),
                DamagedReplicas.NONE);
        SubmitPlan plan = new SubmitPlanner(directory, new Peers(0, 6, storeRank -> storeRank == 0 ? 5 : 2), true,
                null, null).plan(runs, Arena.ofAuto());
        assertArrayEquals(
                new int[]{checksum(long1, 1, 4), checksum(long1, 5, 2), checksum(long1, 7, 2), checksum(whole, 0, 4)},
                plan.checksums().toArray(ValueLayout.JAVA_INT));
        PieceTable pieces = plan.checksumPieces();
        assertEquals(2, pieces.peerCount());
        assertArrayEquals(new int[]{2, 5}, new int[]{pieces.peer(0), pieces.peer(1)});
        assertArrayEquals(new int[]{0, 2, 4}, new int[]{pieces.start(0), pieces.start(1), pieces.start(2)});
        for (int piece = 0; piece < 4; piece += 2) {
            assertArrayEquals(new long[]{3, 1}, new long[]{pieces.count(piece), pieces.count(piece + 1)});
            assertArrayEquals(new long[]{0, 3}, new long[]{pieces.slot(piece), pieces.slot(piece + 1)});
        }
    }

    private SourceRuns.Run numbered(long first, long count) {
        SourceRuns.Run run = uniform(first, count, 2);
        for (long index = 0; index < count; index++) {
            run.bytes().setAtIndex(ValueLayout.JAVA_SHORT, index, (short) (100 * first + index));
        }
        return run;
    }

    private static int checksum(SourceRuns.Run run, long firstSlot, long count) {
        return Checksum.of(run.bytes().asSlice(firstSlot * 2, count * 2));
    }
}

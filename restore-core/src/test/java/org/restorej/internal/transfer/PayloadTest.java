package org.restorej.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
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
import org.restorej.internal.plan.Peers;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlan;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.BlockRun;
import org.restorej.internal.storage.VariableLayout;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** The runs of a submission of blocks of any sizes, some empty, on a PE that holds all of them. */
class PayloadTest {
    /** In chunks of three. */
    private static final long[] SIZES = {0, 0, 0, 2, 0, 1, 0, 3, 0, 0, 0, 0};

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment target = arena.allocate(6);
    private final MemorySegment targetChecksums = arena.allocate(4 * 4);
    private final MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2, (byte) 3,
            (byte) 4, (byte) 5, (byte) 6);
    private final VariableLayout layout = layout();

    @AfterEach
    void free() {
        arena.close();
    }

    private VariableLayout layout() {
        MemorySegment sizes = arena.allocate((long) SIZES.length * VariableLayout.SIZE_BYTES);
        for (int block = 0; block < SIZES.length; block++) {
            VariableLayout.putSize(sizes, block, SIZES[block]);
        }
        return new VariableLayout(sizes, arena);
    }

    private final BlockMemory replicas = new BlockMemory() {
        @Override
        public MemorySegment at(long position, long count) {
            return layout.slice(target, position, count);
        }

        @Override
        public MemorySegment checksums(long position, long count) {
            return targetChecksums.asSlice((position + 2) / 3 * 4, ((position + count) / 3 - (position + 2) / 3) * 4);
        }
    };

    private SubmitPlan plan(boolean checksums, long... lengths) {
        Placement placement = new Placement(1, SIZES.length, 1);
        ReplicaRing ring = new ReplicaRing(placement, 1, 1);
        BlockDirectory directory = new BlockDirectory(RangePermutation.identity(SIZES.length),
                ReplicaMap.placedWithout(placement, ring, FailedRanks.NONE), new ChunkGrid(ring, 3),
                DamagedReplicas.NONE);
        List<BlockRun> runs = new ArrayList<>();
        long first = 0;
        for (long length : lengths) {
            MemorySegment sizes = arena.allocate(length * VariableLayout.SIZE_BYTES);
            for (int block = 0; block < length; block++) {
                VariableLayout.putSize(sizes, block, SIZES[(int) first + block]);
            }
            runs.add(new BlockRun(BlockRange.of(first, length), new VariableLayout(sizes, arena),
                    layout.slice(source, first, length)));
            first += length;
        }
        return new SubmitPlanner(directory, new Peers(0, 0, 1, rank -> rank), checksums, null, null)
                .plan(new SourceRuns(runs), Arena.ofAuto());
    }

    private static List<Long> lengths(List<MemorySegment> runs) {
        return runs.stream().map(MemorySegment::byteSize).toList();
    }

    @Test
    void bothSidesHaveTheSameRunsAndNoEmptyOnes() {
        SubmitPlan plan = plan(true, 3, 3, 2, 4);
        PieceTable pieces = plan.pieces();
        assertEquals(4, pieces.size());
        Payload payload = Payload.Submitted.of(plan, arena, replicas, true);
        // The blocks of the second and third run, then the checksums of whole chunks: of the first, second and fourth.
        assertEquals(List.of(3L, 3L, 4L, 4L, 4L), lengths(payload.toSend(pieces, 0)));
        assertEquals(List.of(3L, 3L, 4L, 4L, 4L), lengths(payload.toReceive(pieces, 0)));
        assertEquals(target.address(), payload.toReceive(pieces, 0).getFirst().address());
        assertEquals(source.address() + 3, payload.toSend(pieces, 0).get(1).address());
    }

    @Test
    void aCopyBringsBlocksAndChecksums() {
        SubmitPlan plan = plan(true, 3, 3, 2, 4);
        Payload.Submitted.of(plan, arena, replicas, true).copy(plan.pieces(), 0);
        assertEquals(-1, source.mismatch(target));
        IntList made = plan.checksums();
        int[] copied = targetChecksums.toArray(ValueLayout.JAVA_INT);
        assertEquals(IntArrayList.of(copied[0], copied[1], copied[3]), made);
        assertEquals(0, copied[2], "the third chunk came in two pieces");
    }

    @Test
    void withoutChecksumsOnlyBlocksMove() {
        SubmitPlan plan = plan(false, 12);
        Payload payload = Payload.Submitted.of(plan, arena, replicas, false);
        assertEquals(List.of(6L), lengths(payload.toSend(plan.pieces(), 0)));
        payload.copy(plan.pieces(), 0);
        assertEquals(-1, source.mismatch(target));
        assertArrayEquals(new int[4], targetChecksums.toArray(ValueLayout.JAVA_INT));
    }
}

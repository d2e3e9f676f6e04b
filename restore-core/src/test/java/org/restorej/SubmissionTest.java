package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.local.LocalCluster;

/** Copies of submissions, and places of blocks. */
class SubmissionTest {
    @Test
    void aCopyStaysAsItIsWhileTheBlocksChange() throws IOException {
        long[] values = {1, 2, 3};
        try (Arena arena = Arena.ofConfined()) {
            Submission copy = new Submission().add(BlockRange.of(10, 3), MemorySegment.ofArray(values))
                    .add(BlockRange.of(20, 1), (id, block) -> block.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, values[0]))
                    .add(BlockRange.of(30, 2), id -> id == 30 ? 0 : 16, (id, block) -> block.fill((byte) values[0]))
                    .copy(arena, Long.BYTES);
            values[0] = 9;
            assertEquals(List.of(1L, 2L, 3L, 1L, 0x01_01_01_01_01_01_01_01L, 0x01_01_01_01_01_01_01_01L),
                    longsOf(copy));
        }
    }

    private static List<Long> longsOf(Submission submission) throws IOException {
        List<Long> longs = new ArrayList<>();
        submission.writeTo(Long.BYTES, (blocks, bytes) -> bytes.elements(ValueLayout.JAVA_LONG_UNALIGNED)
                .forEach(block -> longs.add(block.get(ValueLayout.JAVA_LONG_UNALIGNED, 0))));
        return longs;
    }

    @Test
    void aCopyIsRefusedWhereALengthDoesNotFit() {
        Submission tooLong = new Submission().add(BlockRange.of(0, 2), MemorySegment.ofArray(new byte[17]));
        assertEquals("the bytes of blocks 0..1 must be 2 times 8: byteSize=17",
                assertThrows(InvalidSubmissionException.class, () -> tooLong.copy(Arena.ofAuto(), 8)).getMessage());
    }

    /** Also blocks of different sizes. */
    @Test
    void whatWasPulledCanBeSubmittedAsItIs() {
        assertEquals(List.of(true), LocalCluster.run(1, world -> {
            try (Arena arena = Arena.ofShared();
                    ReStore store = ReStore.builder(world).blocks(4).variableBlockSizes(8).build()) {
                store.submit(new Submission().add(BlockRange.of(0, 4), id -> id,
                        (id, block) -> block.fill((byte) id)));
                BlockRanges all = BlockRanges.of(0, 4);
                Submission everything = store.pull(all, arena).submission();
                assertEquals(all, everything.ids());
                store.submit(everything);
                BlockRanges wanted = BlockRanges.of(BlockRange.of(1, 1), BlockRange.of(3, 1));
                Submission pulled = store.pull(wanted, arena).submission();
                assertEquals(wanted, pulled.ids());
                store.pull(BlockRanges.of(3, 1), (id, block) -> assertEquals(3, block.byteSize()));
                return true;
            }
        }));
    }

    @Test
    void everyBlockIsInOneBlockRange() {
        assertEquals(List.of(66L, 66L, 66L), LocalCluster.run(3, world -> {
            try (ReStore store = ReStore.builder(world).blocks(66).blockSizeBytes(8).permutationRangeBlocks(4)
                    .build()) {
                long blocks = 0;
                BlockRanges all = BlockRanges.EMPTY;
                for (int range = 0; range < 3; range++) {
                    blocks += store.blocksIn(range).blockCount();
                    all = all.union(store.blocksIn(range));
                }
                assertEquals(BlockRanges.of(0, 66), all);
                assertThrows(IndexOutOfBoundsException.class, () -> store.blocksIn(3));
                return blocks;
            }
        }));
    }
}

package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.local.LocalCluster;

/** Copies of submissions, and places of blocks. */
class SubmissionTest {
    @Test
    void findsTheBlocksThatHaveChangedSinceAnEarlierCopy() {
        long[] values = {1, 2, 3, 4, 5};
        try (Arena arena = Arena.ofConfined()) {
            Submission before = new Submission().add(BlockRange.of(10, 5), MemorySegment.ofArray(values)).copy(arena,
                    Long.BYTES);
            values[1] = 7;
            values[4] = 8;
            Submission after = new Submission().add(BlockRange.of(10, 5), MemorySegment.ofArray(values))
                    .add(BlockRange.of(20, 1), (id, block) -> block.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, id))
                    .copy(arena, Long.BYTES);
            values[0] = 9;
            assertEquals(BlockRanges.of(BlockRange.of(11, 1), BlockRange.of(14, 1), BlockRange.of(20, 1)),
                    after.changesSince(before).ids());
            assertEquals(BlockRanges.EMPTY, before.changesSince(before).ids());
        }
    }

    @Test
    void refusesToCompareWhatIsNoCopy() {
        Submission plain = new Submission();
        assertEquals("both submissions must be copies, made by copy",
                assertThrows(IllegalArgumentException.class, () -> plain.changesSince(plain)).getMessage());
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
                Submission one = pulled.copy(arena, 8);
                assertThrows(IllegalStateException.class,
                        () -> one.add(BlockRange.of(0, 1), MemorySegment.ofArray(new byte[8])));
                assertThrows(IllegalArgumentException.class, () -> one.changesSince(pulled.copy(arena, 16)));
                return one.changesSince(store.pull(wanted, arena).submission().copy(arena, 8)).ids().isEmpty();
            }
        }));
    }

    @Test
    void everyBlockIsInOneBlockRange() {
        assertEquals(List.of(66L, 66L, 66L), LocalCluster.run(3, world -> {
            try (ReStore store = ReStore.builder(world).blocks(66).blockSizeBytes(8).permutationRangeBlocks(4)
                    .build()) {
                long blocks = 0;
                for (int range = 0; range < 3; range++) {
                    BlockRanges in = store.blocksIn(range);
                    blocks += in.blockCount();
                    for (long place = 0; place < in.blockCount(); place++) {
                        assertEquals(range, store.rangeOf(in.blockAt(place)));
                    }
                }
                assertThrows(IndexOutOfBoundsException.class, () -> store.rangeOf(66));
                assertThrows(IndexOutOfBoundsException.class, () -> store.blocksIn(3));
                return blocks;
            }
        }));
    }
}

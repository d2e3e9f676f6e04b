package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.testing.Checks;

/**
 * Blocks whose every byte follows from the block's id and a version, so that any PE can tell right from wrong.
 *
 * @param blockSizeBytes size of a block
 * @param version tells generations apart
 */
public record TestBlocks(long blockSizeBytes, long version) {
    public byte byteAt(long blockId, long index) {
        long mixed = (blockId * 0x9E3779B97F4A7C15L + index + version * 0xD1B54A32D192ED03L) * 0xBF58476D1CE4E5B9L;
        return (byte) (mixed >>> 56);
    }

    public void write(long blockId, MemorySegment block) {
        for (long index = 0; index < blockSizeBytes; index++) {
            block.set(ValueLayout.JAVA_BYTE, index, byteAt(blockId, index));
        }
    }

    /** Off-heap memory that holds these blocks in ascending order. */
    public MemorySegment memory(Arena arena, BlockRange blocks) {
        MemorySegment memory = arena.allocate(Math.max(1, blocks.count() * blockSizeBytes), 64)
                .asSlice(0, blocks.count() * blockSizeBytes);
        for (long i = 0; i < blocks.count(); i++) {
            write(blocks.first() + i, memory.asSlice(i * blockSizeBytes, blockSizeBytes));
        }
        return memory;
    }

    public byte[] bytes(BlockRange blocks) {
        try (Arena arena = Arena.ofConfined()) {
            return memory(arena, blocks).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    public void check(long blockId, MemorySegment block) {
        for (long index = 0; index < blockSizeBytes; index++) {
            byte expected = byteAt(blockId, index);
            byte actual = block.get(ValueLayout.JAVA_BYTE, index);
            if (expected != actual) {
                Checks.equal(expected, actual, "byte " + index + " of block " + blockId + ", version " + version);
            }
        }
    }

    /** Checks blocks that lie in ascending order. */
    public void checkAll(BlockRanges blocks, MemorySegment memory) {
        for (long i = 0; i < blocks.blockCount(); i++) {
            check(blocks.blockAt(i), memory.asSlice(i * blockSizeBytes, blockSizeBytes));
        }
    }

    /** Pulls blocks off the heap and checks them. */
    public void pullAndCheck(ReStore store, BlockRanges wanted) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(wanted.blockCount() * blockSizeBytes + 1, 64);
            store.pull(wanted, memory);
            checkAll(wanted, memory);
        }
    }

    /** A builder of a store with permutation ranges of so many blocks, or, of 0, without a permutation. */
    public static ReStoreBuilder permuted(ReStoreBuilder builder, long rangeBlocks) {
        return rangeBlocks == 0 ? builder.noPermutation() : builder.permutationRangeBlocks(rangeBlocks);
    }
}

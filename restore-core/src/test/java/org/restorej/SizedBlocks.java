package org.restorej;

import static org.restorej.comm.testing.Checks.equal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;

/**
 * Blocks of different sizes, many of them empty, whose sizes and bytes follow from the block's id and a version.
 *
 * @param maxBytes largest size
 * @param version tells generations apart
 */
public record SizedBlocks(int maxBytes, long version) {
    long sizeOf(long blockId) {
        long mixed = (blockId * 0x9E3779B97F4A7C15L + version * 0xD1B54A32D192ED03L) ^ 0x5DEECE66DL;
        long size = Math.floorMod(((mixed ^ (mixed >>> 31)) * 0xBF58476D1CE4E5B9L) >>> 17, maxBytes + 1L);
        return blockId % 5 == 2 ? 0 : size;
    }

    public BlockRange.Sizes sizes() {
        return this::sizeOf;
    }

    long totalBytes(BlockRange blocks) {
        long bytes = 0;
        for (long id = blocks.first(); id < blocks.end(); id++) {
            bytes += sizeOf(id);
        }
        return bytes;
    }

    public void write(long blockId, MemorySegment block) {
        new TestBlocks(block.byteSize(), version).write(blockId, block);
    }

    MemorySegment memory(Arena arena, BlockRange blocks) {
        MemorySegment memory = arena.allocate(totalBytes(blocks), 1);
        long offset = 0;
        for (long id = blocks.first(); id < blocks.end(); id++) {
            write(id, memory.asSlice(offset, sizeOf(id)));
            offset += sizeOf(id);
        }
        return memory;
    }

    public void check(long blockId, MemorySegment block) {
        equal(sizeOf(blockId), block.byteSize(), "size of block " + blockId + ", version " + version);
        new TestBlocks(block.byteSize(), version).check(blockId, block);
    }

    public void check(PulledBlocks pulled, BlockRanges wanted) {
        equal(wanted, pulled.ids(), "ids");
        for (long i = 0; i < wanted.blockCount(); i++) {
            check(wanted.blockAt(i), pulled.blockAt(i));
            check(wanted.blockAt(i), pulled.blockOf(wanted.blockAt(i)));
        }
    }

    void pullAndCheck(ReStore store, BlockRanges wanted) {
        try (Arena arena = Arena.ofShared()) {
            check(store.pull(wanted, arena), wanted);
        }
    }
}

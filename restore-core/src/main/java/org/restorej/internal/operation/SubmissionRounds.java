package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * Cuts a submission into rounds, so that neither buffers nor plans grow with the data: off-heap memory goes as it is,
 * up to a number of pieces; everything else is copied or written into a copy buffer first, as much as fits.
 */
final class SubmissionRounds {
    /** With the frames of the transfers, 16 MiB, well below the 64 MiB that buffers may take. */
    static final long BUFFER_BYTES = 32L << 20;

    /** The copy buffer for the sizes of blocks, beside that for the blocks themselves. */
    static final long SIZE_BUFFER_BYTES = 2L << 20;

    /** A piece takes about 100 bytes in the plans of its sender, so a round's plans stay below this times 100 bytes. */
    private static final long PIECES = 1L << 17;

    /** Blocks of different sizes in a round: their layouts take at most 22 bytes each, 5.5 MiB. */
    private static final long LAYOUT_BLOCKS = 1L << 18;

    private static final long LAYOUT_BYTES_PER_BLOCK = VariableLayout.SIZE_BYTES + 2L * Long.BYTES;

    private final List<SubmissionEntry> entries;
    private final long blockSizeBytes;
    private final long pieceBlocks;
    private final long roundBytes;
    private final long bufferLimit;
    private final PooledMemory scratch;
    private MemorySegment buffer = MemorySegment.NULL;
    private MemorySegment layoutMemory = MemorySegment.NULL;
    private int entry;
    private long offset;
    private long byteOffset;
    private long submittedBytes;

    /** What of a round is left to be used. */
    private static final class Room {
        private long pieces = PIECES;
        private long blocks = LAYOUT_BLOCKS;
        private long bytes;
        private long copied;
        private final SegmentAllocator layouts;

        Room(MemorySegment layoutMemory, long bytes) {
            layouts = SegmentAllocator.slicingAllocator(layoutMemory);
            this.bytes = bytes;
        }
    }

    /**
     * Rounds of which none has begun.
     *
     * @param entries checked entries
     * @param blockSizeBytes size of the blocks of entries without sizes
     * @param pieceBlocks about how many blocks a piece has
     * @param roundBytes about how many bytes a round has at most
     * @param bufferLimit bytes of the copy buffer, a longer block excepted
     * @param scratch memory for buffer and layouts; must live as long as messages use it
     */
    SubmissionRounds(List<SubmissionEntry> entries, long blockSizeBytes, long pieceBlocks, long roundBytes,
            long bufferLimit, PooledMemory scratch) {
        this.entries = entries;
        this.blockSizeBytes = blockSizeBytes;
        this.pieceBlocks = pieceBlocks;
        this.roundBytes = roundBytes;
        this.bufferLimit = bufferLimit;
        this.scratch = scratch;
    }

    /** Whether anything is left to send. */
    boolean hasNext() {
        return entry < entries.size();
    }

    /** Bytes of all rounds so far. */
    long submittedBytes() {
        return submittedBytes;
    }

    /** The runs of the next round; those of the round before are no longer valid. */
    SourceRuns next() {
        List<SourceRuns.Run> runs = new ArrayList<>();
        Room room = new Room(layoutMemory(), roundBytes);
        while (hasNext() && room.pieces > 0 && room.bytes > 0) {
            SubmissionEntry current = entries.get(entry);
            boolean direct = current.source() instanceof Source.Bytes(MemorySegment bytes) && bytes.isNative();
            long blocks = fittingBlocks(current, direct, room);
            if (blocks == 0 && current.blocks().count() > 0) {
                break;
            }
            BlockRange range = BlockRange.of(current.blocks().first() + offset, blocks);
            BlockLayout layout = layout(current, range, room);
            MemorySegment memory = direct ? bytesOf(current, layout) : buffer.asSlice(room.copied, layout.bytes());
            if (!direct) {
                copy(current, range, layout, memory);
                room.copied += layout.bytes();
            }
            runs.add(new SourceRuns.Run(range, layout, memory));
            room.pieces -= 1 + blocks / pieceBlocks;
            room.bytes -= layout.bytes();
            submittedBytes += layout.bytes();
            advance(current, blocks, layout.bytes());
        }
        return new SourceRuns(runs);
    }

    private void advance(SubmissionEntry current, long blocks, long bytes) {
        offset += blocks;
        byteOffset += bytes;
        if (offset == current.blocks().count()) {
            entry++;
            offset = 0;
            byteOffset = 0;
        }
    }

    private long fittingBlocks(SubmissionEntry current, boolean direct, Room room) {
        long left = current.blocks().count() - offset;
        long fitting = Math.min(left, pieceBlocks > Long.MAX_VALUE / PIECES
                ? Long.MAX_VALUE
                : room.pieces * pieceBlocks);
        long bufferLeft = direct ? Long.MAX_VALUE : bufferBytes() - room.copied;
        BlockRange.Sizes sizes = current.sizes();
        if (sizes == null) {
            long ofRound = Math.max(1, room.bytes / blockSizeBytes);
            return Math.min(Math.min(fitting, ofRound), bufferLeft / blockSizeBytes);
        }
        fitting = Math.min(fitting, room.blocks);
        long bytes = 0;
        for (long i = 0; i < fitting; i++) {
            bytes += sizes.bytesOf(current.blocks().first() + offset + i);
            if (bytes > bufferLeft || (bytes > room.bytes && i > 0)) {
                return i;
            }
        }
        return fitting;
    }

    private BlockLayout layout(SubmissionEntry current, BlockRange range, Room room) {
        BlockRange.Sizes sizes = current.sizes();
        if (sizes == null) {
            return new UniformLayout(range.count(), blockSizeBytes);
        }
        room.blocks -= range.count();
        MemorySegment memory = room.layouts.allocate(range.count() * VariableLayout.SIZE_BYTES);
        for (long i = 0; i < range.count(); i++) {
            VariableLayout.putSize(memory, i, sizes.bytesOf(range.first() + i));
        }
        return new VariableLayout(memory, room.layouts);
    }

    private MemorySegment bytesOf(SubmissionEntry current, BlockLayout layout) {
        Source.Bytes bytes = (Source.Bytes) current.source();
        return bytes.segment().asSlice(byteOffset, layout.bytes());
    }

    private void copy(SubmissionEntry current, BlockRange range, BlockLayout layout, MemorySegment memory) {
        switch (current.source()) {
            case Source.Bytes ignored -> memory.copyFrom(bytesOf(current, layout));
            case Source.Writer(BlockRange.Writer writer) -> {
                memory.fill((byte) 0);
                for (long i = 0; i < range.count(); i++) {
                    write(writer, range.first() + i, memory.asSlice(layout.offset(i), layout.bytes(i, 1)));
                }
            }
            case Source.Refused(String complaint) -> throw new IllegalStateException(complaint);
        }
    }

    private static void write(BlockRange.Writer writer, long blockId, MemorySegment block) {
        try {
            writer.write(blockId, block);
        } catch (IndexOutOfBoundsException beyond) {
            throw new IllegalArgumentException("the writer of block " + blockId + " went beyond its "
                    + block.byteSize() + " bytes: " + beyond.getMessage(), beyond);
        }
    }

    private MemorySegment layoutMemory() {
        if (layoutMemory.byteSize() == 0) {
            long blocks = 0;
            for (SubmissionEntry each : entries) {
                blocks += each.sizes() == null ? 0 : each.blocks().count();
            }
            layoutMemory = blocks == 0
                    ? MemorySegment.NULL
                    : scratch.allocate(Math.min(blocks, LAYOUT_BLOCKS) * LAYOUT_BYTES_PER_BLOCK, Long.BYTES);
        }
        return layoutMemory;
    }

    /** Bytes of the copy buffer, made when it is first needed: no more than the whole submission has. */
    private long bufferBytes() {
        if (buffer.byteSize() == 0) {
            long largest = 1;
            long bytes = 1;
            for (SubmissionEntry each : entries) {
                BlockRange.Sizes sizes = each.sizes();
                if (sizes == null) {
                    bytes += each.blocks().count() * blockSizeBytes;
                    largest = Math.max(largest, blockSizeBytes);
                    continue;
                }
                for (long id = each.blocks().first(); id < each.blocks().end(); id++) {
                    bytes += sizes.bytesOf(id);
                    largest = Math.max(largest, sizes.bytesOf(id));
                }
            }
            buffer = scratch.allocate(Math.max(largest, Math.min(bytes, bufferLimit)), 64);
        }
        return buffer.byteSize();
    }
}

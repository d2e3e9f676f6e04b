package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.exchange.SourceRun;

/**
 * Cuts a submission into rounds, so that neither staging nor plans grow with the data: off-heap memory goes as it is, up
 * to a number of pieces; everything else is copied or written into a staging buffer first, as much as fits.
 */
final class SubmissionRounds implements AutoCloseable {
    /** With the frames of the transfers, 16 MiB, well below the 64 MiB that staging may take. */
    private static final long STAGING_BYTES = 32L << 20;

    /** A piece takes about 100 bytes in the plans of its sender, so a round's plans stay below this times 100 bytes. */
    private static final long PIECES = 1L << 17;

    private final List<Submission.Entry> entries;
    private final long blockSizeBytes;
    private final long pieceBlocks;
    private final Arena arena = Arena.ofShared();
    private MemorySegment staging = MemorySegment.NULL;
    private int entry;
    private long offset;

    /**
     * Rounds of a submission.
     *
     * @param pieceBlocks about how many blocks a piece has
     */
    SubmissionRounds(Submission submission, long blockSizeBytes, long pieceBlocks) {
        entries = submission.entries();
        this.blockSizeBytes = blockSizeBytes;
        this.pieceBlocks = pieceBlocks;
    }

    /** Whether anything is left to send. */
    boolean hasNext() {
        return entry < entries.size();
    }

    /** The runs of the next round; those of the round before are no longer valid. */
    List<SourceRun> next() {
        List<SourceRun> runs = new ArrayList<>();
        long piecesLeft = PIECES;
        long staged = 0;
        while (hasNext() && piecesLeft > 0) {
            Submission.Entry current = entries.get(entry);
            long fitting = pieceBlocks > Long.MAX_VALUE / PIECES ? Long.MAX_VALUE : piecesLeft * pieceBlocks;
            long blocks = Math.min(current.blocks().count() - offset, fitting);
            boolean direct = current.source() instanceof Submission.Bytes bytes && bytes.segment().isNative();
            if (!direct) {
                blocks = Math.min(blocks, stagingBytes() / blockSizeBytes - staged);
            }
            if (blocks == 0 && current.blocks().count() > 0) {
                break;
            }
            BlockRange range = BlockRange.of(current.blocks().first() + offset, blocks);
            MemorySegment memory = direct
                    ? bytesOf(current, blocks)
                    : staging.asSlice(staged * blockSizeBytes, blocks * blockSizeBytes);
            if (!direct) {
                stage(current, range, memory);
                staged += blocks;
            }
            runs.add(new SourceRun(range, memory));
            piecesLeft -= 1 + blocks / pieceBlocks;
            advance(current, blocks);
        }
        return runs;
    }

    private void advance(Submission.Entry current, long blocks) {
        offset += blocks;
        if (offset == current.blocks().count()) {
            entry++;
            offset = 0;
        }
    }

    private MemorySegment bytesOf(Submission.Entry current, long blocks) {
        Submission.Bytes bytes = (Submission.Bytes) current.source();
        return bytes.segment().asSlice(offset * blockSizeBytes, blocks * blockSizeBytes);
    }

    private void stage(Submission.Entry current, BlockRange range, MemorySegment memory) {
        switch (current.source()) {
            case Submission.Bytes ignored -> memory.copyFrom(bytesOf(current, range.count()));
            case Submission.Writer(BlockWriter writer) -> {
                memory.fill((byte) 0);
                for (long i = 0; i < range.count(); i++) {
                    writer.write(range.first() + i, memory.asSlice(i * blockSizeBytes, blockSizeBytes));
                }
            }
        }
    }

    /** Bytes of the staging buffer, made when it is first needed: no more than the whole submission has. */
    private long stagingBytes() {
        if (staging.byteSize() == 0) {
            long blocks = 0;
            for (Submission.Entry each : entries) {
                blocks += each.blocks().count();
            }
            long fitting = Math.max(1, STAGING_BYTES / blockSizeBytes);
            staging = arena.allocate(Math.max(1, Math.min(blocks, fitting)) * blockSizeBytes, 64);
        }
        return staging.byteSize();
    }

    @Override
    public void close() {
        arena.close();
    }
}

package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
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
 * Splits a submission into rounds, so that buffers and plans don't grow with the data (except the sizes of blocks, if
 * they differ). Off-heap memory is used directly, up to a number of pieces for each round. Everything else is first
 * copied or written into a copy buffer, as much as fits.
 */
final class SubmissionRounds {
    /** Together with the frames of transfers, of 16 MiB, well below the limit of 64 MiB for buffers. */
    private static final long BUFFER_BYTES = 32L << 20;

    /** A piece takes about 100 bytes a replica in its sender's plans: 13 MiB a replica in a round. */
    private static final long PIECES = 1L << 17;

    private final ClosedSubmission submission;
    private final long blockSizeBytes;
    private final long pieceBlocks;
    private final long roundBytes;
    private final PooledMemory scratch;
    private MemorySegment buffer = MemorySegment.NULL;
    private int run;
    private long offset;
    private long byteOffset;
    private long piecesLeft;
    private long bytesLeft;
    private long copiedBytes;

    /**
     * Creates the rounds without starting one.
     *
     * @param blockSizeBytes size of the blocks of runs without sizes
     * @param pieceBlocks approximate number of blocks in a piece
     * @param roundBytes approximate maximum number of bytes in a round
     * @param scratch memory for buffer and layouts; must stay allocated as long as messages use it
     */
    SubmissionRounds(ClosedSubmission submission, long blockSizeBytes, long pieceBlocks, long roundBytes,
            PooledMemory scratch) {
        this.submission = submission;
        this.blockSizeBytes = blockSizeBytes;
        this.pieceBlocks = pieceBlocks;
        this.roundBytes = roundBytes;
        this.scratch = scratch;
    }

    boolean hasNext() {
        return run < submission.runs().size();
    }

    /** The runs of the next round; those of the previous round are no longer valid. */
    SourceRuns next() {
        List<SourceRuns.Run> runs = new ArrayList<>();
        piecesLeft = PIECES;
        bytesLeft = roundBytes;
        copiedBytes = 0;
        while (hasNext() && piecesLeft > 0 && bytesLeft > 0) {
            ClosedSubmission.SizedRun current = submission.runs().get(run);
            boolean direct = current.source() instanceof Source.Bytes(MemorySegment bytes) && bytes.isNative();
            long blocks = fittingBlocks(current, direct);
            if (blocks == 0 && current.blocks().count() > 0) {
                break;
            }
            BlockRange range = BlockRange.of(current.blocks().first() + offset, blocks);
            BlockLayout layout = layout(current, blocks);
            MemorySegment memory = direct
                    ? bytesOf(current, layout)
                    : buffer.asSlice(copiedBytes, layout.bytes());
            if (!direct) {
                copy(current, range, layout, memory);
                copiedBytes += layout.bytes();
            }
            runs.add(new SourceRuns.Run(range, layout, memory));
            piecesLeft -= 1 + blocks / pieceBlocks;
            bytesLeft -= layout.bytes();
            advance(current, blocks, layout.bytes());
        }
        return new SourceRuns(runs);
    }

    private void advance(ClosedSubmission.SizedRun current, long blocks, long bytes) {
        offset += blocks;
        byteOffset += bytes;
        if (offset == current.blocks().count()) {
            run++;
            offset = 0;
            byteOffset = 0;
        }
    }

    private long fittingBlocks(ClosedSubmission.SizedRun current, boolean direct) {
        long left = current.blocks().count() - offset;
        long fitting = Math.min(left, pieceBlocks > Long.MAX_VALUE / PIECES
                ? Long.MAX_VALUE
                : piecesLeft * pieceBlocks);
        long bufferLeft = direct ? Long.MAX_VALUE : bufferBytes() - copiedBytes;
        MemorySegment sizes = current.sizes();
        if (sizes == null) {
            long ofRound = Math.max(1, bytesLeft / blockSizeBytes);
            return Math.min(Math.min(fitting, ofRound), bufferLeft / blockSizeBytes);
        }
        long bytes = 0;
        for (long i = 0; i < fitting; i++) {
            bytes += VariableLayout.size(sizes, offset + i);
            if (bytes > bufferLeft || (bytes > bytesLeft && i > 0)) {
                return i;
            }
        }
        return fitting;
    }

    private BlockLayout layout(ClosedSubmission.SizedRun current, long blocks) {
        MemorySegment sizes = current.sizes();
        return sizes == null
                ? new UniformLayout(blocks, blockSizeBytes)
                : new VariableLayout(sizes.asSlice(offset * VariableLayout.SIZE_BYTES,
                        blocks * VariableLayout.SIZE_BYTES), scratch);
    }

    private MemorySegment bytesOf(ClosedSubmission.SizedRun current, BlockLayout layout) {
        Source.Bytes bytes = (Source.Bytes) current.source();
        return bytes.segment().asSlice(byteOffset, layout.bytes());
    }

    private void copy(ClosedSubmission.SizedRun current, BlockRange range, BlockLayout layout, MemorySegment memory) {
        switch (current.source()) {
            case Source.Bytes ignored -> memory.copyFrom(bytesOf(current, layout));
            case Source.Writer writer -> {
                memory.fill((byte) 0);
                try {
                    writer.write(range, layout, memory, current.sizes() == null);
                } catch (Throwable thrown) {
                    // Any exception of the application's writer is reported to the other PEs, which then don't wait.
                    throw new NotReadException("a block writer threw " + thrown, thrown);
                }
            }
            case Source.Refused(String complaint) -> throw new IllegalStateException(complaint);
        }
    }

    /** The reason why blocks can't be read from the application, as a message for all PEs. */
    static final class NotReadException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotReadException(String why, Throwable cause) {
            super(why, cause, false, false);
        }
    }

    /** Size of the copy buffer, taken when first needed: as long as the whole submission if that is short enough, or longer. */
    private long bufferBytes() {
        if (buffer.byteSize() == 0) {
            long bytes = Math.max(submission.largestBytes(), Math.min(submission.bytes(), BUFFER_BYTES));
            try {
                buffer = scratch.allocateCopyBuffer(Math.max(1, bytes));
            } catch (OutOfMemoryError none) {
                throw new NotReadException(
                        "there is no memory for the " + bytes + " bytes that blocks are copied to: " + none, none);
            }
        }
        return buffer.byteSize();
    }
}

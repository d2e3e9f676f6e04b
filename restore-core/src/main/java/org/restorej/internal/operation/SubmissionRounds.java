package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.PooledMemory;

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
    private final long pieceBlocks;
    private final long roundBytes;
    private final PooledMemory scratch;
    private MemorySegment buffer = MemorySegment.NULL;
    private int run;
    /** Index of the next block in the run. */
    private long next;
    private long piecesLeft;
    private long bytesLeft;
    private long copiedBytes;

    /**
     * Creates the rounds without starting one.
     *
     * @param pieceBlocks approximate number of blocks in a piece
     * @param roundBytes approximate maximum number of bytes in a round
     * @param scratch memory for the buffer; must stay allocated as long as messages use it
     */
    SubmissionRounds(ClosedSubmission submission, long pieceBlocks, long roundBytes, PooledMemory scratch) {
        this.submission = submission;
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
            ClosedSubmission.Run current = submission.runs().get(run);
            boolean direct = current.source() instanceof Source.Bytes(MemorySegment bytes) && bytes.isNative();
            long blocks = fittingBlocks(current, direct);
            if (blocks == 0 && current.blocks().count() > 0) {
                break;
            }
            BlockRange range = BlockRange.of(current.blocks().first() + next, blocks);
            long bytes = current.layout().bytes(next, blocks);
            MemorySegment memory = direct ? bytesOf(current, blocks) : buffer.asSlice(copiedBytes, bytes);
            if (!direct) {
                copy(current, range, memory);
                copiedBytes += bytes;
            }
            runs.add(new SourceRuns.Run(range, current.layout(), next, memory));
            piecesLeft -= 1 + blocks / pieceBlocks;
            bytesLeft -= bytes;
            next += blocks;
            if (next == current.blocks().count()) {
                run++;
                next = 0;
            }
        }
        return new SourceRuns(runs);
    }

    private long fittingBlocks(ClosedSubmission.Run current, boolean direct) {
        long pieces = pieceBlocks > Long.MAX_VALUE / PIECES ? Long.MAX_VALUE : piecesLeft * pieceBlocks;
        long left = Math.min(current.blocks().count() - next, pieces);
        long bufferLeft = direct ? Long.MAX_VALUE : bufferBytes() - copiedBytes;
        long fitting = blocksWithin(current.layout(), left, Math.min(bufferLeft, bytesLeft));
        // A round may have one block that is longer than a round.
        boolean takesOne = fitting == 0 && left > 0 && current.layout().bytes(next, 1) <= bufferLeft;
        return takesOne ? 1 : fitting;
    }

    /** The maximum number of blocks from the next one on that have at most these bytes together. */
    private long blocksWithin(BlockLayout layout, long left, long bytes) {
        long fitting = 0;
        long tooMany = left + 1;
        while (tooMany - fitting > 1) {
            long middle = fitting + (tooMany - fitting) / 2;
            if (layout.bytes(next, middle) <= bytes) {
                fitting = middle;
            } else {
                tooMany = middle;
            }
        }
        return fitting;
    }

    private MemorySegment bytesOf(ClosedSubmission.Run current, long blocks) {
        return current.layout().slice(((Source.Bytes) current.source()).segment(), next, blocks);
    }

    private void copy(ClosedSubmission.Run current, BlockRange range, MemorySegment memory) {
        switch (current.source()) {
            case Source.Bytes ignored -> memory.copyFrom(bytesOf(current, range.count()));
            case Source.Writer writer -> {
                memory.fill((byte) 0);
                try {
                    writer.write(range, current.layout(), next, memory);
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

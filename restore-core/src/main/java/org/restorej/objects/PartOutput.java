package org.restorej.objects;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.restorej.Submission;
import org.restorej.block.BlockRange;

/**
 * Writes a part into memory that grows in pieces, so that a long part is never copied. Each piece becomes a block. Not
 * thread-safe.
 */
final class PartOutput extends OutputStream {
    /** Blocks of each part; most of a short part's are empty. */
    static final int BLOCKS = 128;

    private static final long FIRST_BYTES = 1L << 10;

    /**
     * Below this size a new piece doubles the part; above it a new piece is an eighth of the part, so that little is
     * unused.
     */
    private static final long DOUBLED_BYTES = 1L << 20;

    private static final int FURTHER_PIECES = 8;

    private final Arena arena;
    private final List<MemorySegment> full = new ArrayList<>();
    private MemorySegment piece = MemorySegment.NULL;
    private long used;
    private long fullBytes;

    /** Creates an empty part. */
    PartOutput(Arena arena) {
        this.arena = arena;
    }

    @Override
    public void write(int value) throws IOException {
        if (used == piece.byteSize()) {
            grow();
        }
        piece.set(ValueLayout.JAVA_BYTE, used, (byte) value);
        used++;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        int done = 0;
        while (done < length) {
            if (used == piece.byteSize()) {
                grow();
            }
            int count = (int) Math.min(length - done, piece.byteSize() - used);
            MemorySegment.copy(source, offset + done, piece, ValueLayout.JAVA_BYTE, used, count);
            used += count;
            done += count;
        }
    }

    private void grow() throws IOException {
        if (full.size() == BLOCKS - 1) {
            throw new IOException("a part is too long: it has " + (fullBytes + used) + " bytes, in " + BLOCKS
                    + " pieces");
        }
        if (used > 0) {
            full.add(piece);
            fullBytes += used;
        }
        long next = fullBytes < DOUBLED_BYTES ? Math.max(FIRST_BYTES, fullBytes) : fullBytes / FURTHER_PIECES;
        piece = arena.allocate(next, Long.BYTES);
        used = 0;
    }

    /** Adds the part to a submission, without a copy. */
    void addTo(Submission submission, long part) {
        long block = part * BLOCKS;
        for (MemorySegment each : full) {
            submission.add(BlockRange.of(block++, 1), id -> each.byteSize(), each);
        }
        MemorySegment last = piece.asSlice(0, used);
        submission.add(BlockRange.of(block++, 1), id -> last.byteSize(), last);
        submission.add(BlockRange.between(block, (part + 1) * BLOCKS), id -> 0, MemorySegment.NULL);
    }
}

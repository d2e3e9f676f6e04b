package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Compares what is computed for a member with what it has. Writes nothing; used by one thread. */
public final class MemberComparison implements MemberWriter {
    private final MemberReader reader;
    private final MemorySegment piece;
    private boolean differs;

    /**
     * A comparison of no bytes yet.
     *
     * @param reader of the member
     * @param piece takes what is read; at least as long as each piece that is compared
     */
    public MemberComparison(MemberReader reader, MemorySegment piece) {
        this.reader = reader;
        this.piece = piece;
    }

    @Override
    public void write(MemberExtent extent, long offset, MemorySegment bytes) throws IOException {
        MemorySegment own = piece.asSlice(0, bytes.byteSize());
        reader.read(extent, offset, own);
        differs |= own.mismatch(bytes) >= 0;
    }

    /** Whether some bytes were not those that were computed. */
    public boolean differs() {
        return differs;
    }
}

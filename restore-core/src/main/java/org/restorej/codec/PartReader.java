package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads the parts of one block one after another. Not thread-safe. */
final class PartReader {
    /** Bytes of the size that precedes a part of variable size. */
    static final long SIZE_BYTES = Integer.BYTES;

    static final ValueLayout.OfInt SIZE = ValueLayout.JAVA_INT_UNALIGNED;

    private final MemorySegment block;
    private long at;

    PartReader(MemorySegment block) {
        this.block = block;
    }

    long bytesLeft() {
        return block.byteSize() - at;
    }

    /** Reads the next part, of {@code bytes} bytes. */
    <T> T next(BlockSerializer<T> serializer, long bytes) {
        if (bytes < 0 || bytes > bytesLeft()) {
            throw new IllegalArgumentException("a part of " + bytes + " bytes must fit into the " + bytesLeft()
                    + " bytes behind offset " + at + " of its block");
        }
        MemorySegment part = block.asSlice(at, bytes);
        at += bytes;
        return serializer.read(part);
    }

    /** Reads the next part, which is preceded by its size. */
    <T> T nextSized(BlockSerializer<T> serializer) {
        if (bytesLeft() < SIZE_BYTES) {
            throw new IllegalArgumentException("the size of a part takes " + SIZE_BYTES + " bytes: there are "
                    + bytesLeft() + " behind offset " + at + " of its block");
        }
        long bytes = block.get(SIZE, at);
        at += SIZE_BYTES;
        return next(serializer, bytes);
    }

    void checkEnd() {
        if (bytesLeft() > 0) {
            throw new IllegalArgumentException("a block of " + block.byteSize()
                    + " bytes must end with its last part: there are " + bytesLeft() + " bytes more");
        }
    }
}

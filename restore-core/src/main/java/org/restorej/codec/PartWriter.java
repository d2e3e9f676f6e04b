package org.restorej.codec;

import java.lang.foreign.MemorySegment;

/** Writes the parts of one block one after another. Not thread-safe. */
final class PartWriter {
    private final MemorySegment block;
    private long at;

    PartWriter(MemorySegment block) {
        this.block = block;
    }

    long bytesLeft() {
        return block.byteSize() - at;
    }

    /** Writes a part of {@code bytes} bytes. */
    <T> void put(BlockSerializer<T> serializer, T object, long bytes) {
        serializer.write(object, block.asSlice(at, bytes));
        at += bytes;
    }

    /** Writes a part preceded by its size. */
    <T> void putSized(BlockSerializer<T> serializer, T object) {
        long bytes = sizedBytes(serializer, object) - PartReader.SIZE_BYTES;
        block.set(PartReader.SIZE, at, (int) bytes);
        at += PartReader.SIZE_BYTES;
        put(serializer, object, bytes);
    }

    /** Bytes of a part and the size that precedes it. */
    static <T> long sizedBytes(BlockSerializer<T> serializer, T object) {
        long bytes = serializer.sizeBytes(object);
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the size of a part must be in 0.." + Integer.MAX_VALUE
                    + " bytes: sizeBytes=" + bytes);
        }
        return PartReader.SIZE_BYTES + bytes;
    }

    /** Checks that the block is full; remaining bytes would be read as a part. */
    void checkFull() {
        if (bytesLeft() > 0) {
            throw new IllegalArgumentException("an object must not shrink between asking for its size and writing it: "
                    + bytesLeft() + " of " + block.byteSize() + " bytes are not written");
        }
    }
}

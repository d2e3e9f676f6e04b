package org.restorej.codec;

import java.lang.foreign.MemorySegment;

/** Writes the parts of a block one after another. One thread, for one block. */
final class PartWriter {
    private final MemorySegment block;
    private long at;

    PartWriter(MemorySegment block) {
        this.block = block;
    }

    long bytesLeft() {
        return block.byteSize() - at;
    }

    /** Writes a part of so many bytes. */
    <T> void put(BlockSerializer<T> serializer, T object, long bytes) {
        serializer.write(object, block.asSlice(at, bytes));
        at += bytes;
    }

    /** Writes a part with its size before it. */
    <T> void putSized(BlockSerializer<T> serializer, T object) {
        long bytes = sizedBytes(serializer, object) - PartReader.SIZE_BYTES;
        block.set(PartReader.SIZE, at, (int) bytes);
        at += PartReader.SIZE_BYTES;
        put(serializer, object, bytes);
    }

    /** Bytes of a part with its size before it. */
    static <T> long sizedBytes(BlockSerializer<T> serializer, T object) {
        long bytes = serializer.sizeBytes(object);
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the size of a part must be in 0.." + Integer.MAX_VALUE
                    + " bytes: sizeBytes=" + bytes);
        }
        return PartReader.SIZE_BYTES + bytes;
    }

    /** Bytes left over would be read as something else. */
    void checkFull() {
        if (bytesLeft() > 0) {
            throw new IllegalArgumentException("an object must not shrink between asking for its size and writing it: "
                    + bytesLeft() + " of " + block.byteSize() + " bytes are not written");
        }
    }
}

package org.restorej.objects;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Reads a part that a {@link PartOutput} has written, from the memory into which it was pulled; of any length. Not
 * thread-safe.
 */
final class PartInput extends InputStream {
    private static final int BYTE_MASK = 0xff;
    private static final int END = -1;

    private final MemorySegment bytes;
    private long place;

    PartInput(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        if (place == bytes.byteSize()) {
            return END;
        }
        int value = bytes.get(ValueLayout.JAVA_BYTE, place) & BYTE_MASK;
        place++;
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.length);
        long left = bytes.byteSize() - place;
        if (left == 0 && length > 0) {
            return END;
        }
        int count = (int) Math.min(left, length);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, place, target, offset, count);
        place += count;
        return count;
    }

    @Override
    public long skip(long count) {
        long skipped = Math.clamp(count, 0, bytes.byteSize() - place);
        place += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, bytes.byteSize() - place);
    }
}

package org.restorej.bench.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes that anybody can compute: a word of eight bytes depends on its index in an endless sequence, and on which
 * sequence it is. Local; about a nanosecond a word.
 */
public final class KnownBytes {
    /** Sizes and offsets are multiples of this. */
    public static final int WORD_BYTES = Long.BYTES;

    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private KnownBytes() {}

    private static long word(long sequence, long index) {
        long mixed = ((index + 1) * MULTIPLIER) ^ (sequence * 0xD6E8_FEB8_6659_FD93L);
        return mixed ^ (mixed >>> 29);
    }

    /**
     * Fills a segment.
     *
     * @param sequence which one
     * @param offsetBytes place of the segment's first byte in the sequence, a multiple of {@link #WORD_BYTES}
     */
    public static void fill(MemorySegment segment, long sequence, long offsetBytes) {
        long first = offsetBytes / WORD_BYTES;
        for (long i = 0; i < segment.byteSize() / WORD_BYTES; i++) {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, i * WORD_BYTES, word(sequence, first + i));
        }
    }

    /**
     * Compares a segment with what {@link #fill} would put there.
     *
     * @param what names the segment in the error
     * @throws WrongBytesException at the first difference
     */
    public static void require(MemorySegment segment, long sequence, long offsetBytes, String what) {
        long first = offsetBytes / WORD_BYTES;
        for (long i = 0; i < segment.byteSize() / WORD_BYTES; i++) {
            long found = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i * WORD_BYTES);
            if (found != word(sequence, first + i)) {
                throw new WrongBytesException(what + ": wrong bytes at offset " + i * WORD_BYTES + " of "
                        + segment.byteSize() + ": expected " + Long.toHexString(word(sequence, first + i)) + ", found "
                        + Long.toHexString(found));
            }
        }
    }
}

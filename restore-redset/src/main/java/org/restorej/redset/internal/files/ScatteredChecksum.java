package org.restorej.redset.internal.files;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * CRC-32C of a file whose bytes come in runs, in any order. Bytes that follow those of a run go on with its checksum.
 * The checksums of neighbouring runs are combined as soon as both are known, so memory is linear in the number of gaps.
 * Combining costs about a microsecond, whatever the length of the runs.
 *
 * <p>
 * A checksum is a polynomial over GF(2); that of {@code A} before {@code B} is that of {@code A} times {@code x} to the
 * power of the bits of {@code B}, plus that of {@code B} (zlib, {@code crc32_combine}). Not for several threads.
 */
public final class ScatteredChecksum {
    /** The polynomial of Castagnoli, lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int ONE = 1 << 31;
    private static final int LOG_BITS_PER_BYTE = 3;

    /** {@code x} to the power of {@code 2^i}. */
    private static final int[] POWERS = new int[Long.SIZE + LOG_BITS_PER_BYTE];

    static {
        POWERS[0] = ONE >>> 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = multiply(POWERS[i - 1], POWERS[i - 1]);
        }
    }

    /** By first byte; those that meet are joined. */
    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** Bytes without a gap. Those that come next go on with the checksum of the last ones, the tail. */
    private static final class Run {
        private final CRC32C tail = new CRC32C();
        private long start;
        private long tailStart;
        private long end;
        private int beforeTail;

        Run(long start) {
            this.start = start;
            tailStart = start;
            end = start;
        }

        void append(ByteBuffer bytes) {
            int count = bytes.remaining();
            tail.update(bytes);
            end += count;
        }

        /** Joins it with the one that ends where it starts. */
        void prepend(Run before) {
            beforeTail = combine(before.checksum(), beforeTail, tailStart - start);
            start = before.start;
        }

        int checksum() {
            return combine(beforeTail, (int) tail.getValue(), end - tailStart);
        }
    }

    /**
     * Takes the bytes that a buffer has left. Those that begin in a known run are passed over; else the buffer's
     * position is at its limit afterwards.
     *
     * @param position of the first byte, in the file
     */
    public void add(long position, ByteBuffer bytes) {
        Map.Entry<Long, Run> before = runs.floorEntry(position);
        if (!bytes.hasRemaining() || (before != null && before.getValue().end > position)) {
            return;
        }
        Run run = before != null && before.getValue().end == position ? before.getValue() : new Run(position);
        run.append(bytes);
        Run after = runs.remove(run.end);
        if (after != null) {
            after.prepend(run);
            run = after;
        }
        runs.put(run.start, run);
    }

    /** The checksum of the first bytes, when all of them are known. */
    public OptionalInt of(long bytes) {
        if (bytes == 0) {
            return OptionalInt.of(0);
        }
        Run first = runs.get(0L);
        return first != null && first.end == bytes ? OptionalInt.of(first.checksum()) : OptionalInt.empty();
    }

    private static int combine(int checksum, int following, long followingBytes) {
        int shift = ONE;
        int power = LOG_BITS_PER_BYTE;
        for (long rest = followingBytes; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                shift = multiply(POWERS[power], shift);
            }
            power++;
        }
        return multiply(shift, checksum) ^ following;
    }

    private static int multiply(int left, int right) {
        int product = 0;
        int shifted = right;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((left & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : shifted >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }
}

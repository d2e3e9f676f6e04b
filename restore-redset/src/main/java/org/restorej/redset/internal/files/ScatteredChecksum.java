package org.restorej.redset.internal.files;

import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * CRC-32C of a file whose bytes come in runs, in any order. The checksums of neighbouring runs are combined as soon as
 * both are known, so memory is linear in the number of gaps. Combining costs about a microsecond, whatever the length
 * of the runs.
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

    /** By first byte; neighbours are joined, so there is a gap between any two. */
    private final TreeMap<Long, Run> runs = new TreeMap<>();

    private record Run(long end, int checksum) {}

    /** Takes a run. One that begins in a known run is not counted again. */
    public void add(long position, long bytes, int checksum) {
        Map.Entry<Long, Run> before = runs.floorEntry(position);
        if (bytes == 0 || (before != null && before.getValue().end() > position)) {
            return;
        }
        long start = position;
        Run joined = new Run(position + bytes, checksum);
        if (before != null && before.getValue().end() == position) {
            start = before.getKey();
            joined = new Run(joined.end(), combine(before.getValue().checksum(), checksum, bytes));
        }
        Run after = runs.get(joined.end());
        if (after != null) {
            runs.remove(joined.end());
            long afterBytes = after.end() - joined.end();
            joined = new Run(after.end(), combine(joined.checksum(), after.checksum(), afterBytes));
        }
        runs.put(start, joined);
    }

    /** The checksum of the first bytes, when all of them are known. */
    public OptionalInt of(long bytes) {
        if (bytes == 0) {
            return OptionalInt.of(0);
        }
        Run first = runs.get(0L);
        return first != null && first.end() == bytes ? OptionalInt.of(first.checksum()) : OptionalInt.empty();
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

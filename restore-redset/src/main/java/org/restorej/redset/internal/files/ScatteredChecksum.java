package org.restorej.redset.internal.files;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Computes CRC-32C of a file from the checksums of runs of its bytes, which are added in any order. Combining two
 * checksums takes about a microsecond for any length of the runs.
 *
 * <p>
 * A checksum is a polynomial over GF(2). The checksum of {@code A} followed by {@code B} is that of {@code A} times
 * {@code x} to the power of the number of bits of {@code B}, plus that of {@code B} (zlib, {@code crc32_combine}). Not
 * thread-safe.
 */
public final class ScatteredChecksum {
    /** Castagnoli's polynomial, lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82F6_3B78;
    private static final int ONE = 1 << 31;
    private static final int LOG_BITS_PER_BYTE = 3;
    private static final int INITIAL_RUNS = 4;

    /** {@code x} to the power of {@code 2^i}. */
    private static final int[] POWERS = new int[Long.SIZE + LOG_BITS_PER_BYTE];

    static {
        POWERS[0] = ONE >>> 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = multiply(POWERS[i - 1], POWERS[i - 1]);
        }
    }

    /** Start, length and checksum of each run, in ascending order of starts. */
    private long[] starts = new long[INITIAL_RUNS];
    private long[] lengths = new long[INITIAL_RUNS];
    private int[] checksums = new int[INITIAL_RUNS];
    private int runs;

    /**
     * Adds a run. Ignores a run that begins where an earlier one does.
     *
     * @param start index of its first byte in the file
     * @param bytes length of the run
     * @param checksum CRC-32C of its bytes
     */
    public void add(long start, long bytes, int checksum) {
        int place = runs;
        while (place > 0 && starts[place - 1] >= start) {
            place--;
        }
        if (bytes == 0 || (place < runs && starts[place] == start)) {
            return;
        }
        if (runs == starts.length) {
            starts = Arrays.copyOf(starts, 2 * runs);
            lengths = Arrays.copyOf(lengths, 2 * runs);
            checksums = Arrays.copyOf(checksums, 2 * runs);
        }
        System.arraycopy(starts, place, starts, place + 1, runs - place);
        System.arraycopy(lengths, place, lengths, place + 1, runs - place);
        System.arraycopy(checksums, place, checksums, place + 1, runs - place);
        starts[place] = start;
        lengths[place] = bytes;
        checksums[place] = checksum;
        runs++;
    }

    /** The checksum of the first bytes, if runs cover them. Runs that overlap earlier ones are ignored. */
    public OptionalInt of(long bytes) {
        long end = 0;
        int checksum = 0;
        for (int run = 0; run < runs; run++) {
            if (starts[run] == end) {
                checksum = combine(checksum, checksums[run], lengths[run]);
                end += lengths[run];
            }
        }
        return end == bytes ? OptionalInt.of(checksum) : OptionalInt.empty();
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

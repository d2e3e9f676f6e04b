package org.restorej.redset.erasure;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Eight bytes at a time in the longs of heap arrays. A sum of products is computed bit plane by bit plane of the
 * coefficients, from the highest: double the sum, then add every source whose coefficient has that bit. So there are
 * seven doublings a target however many sources there are, and all else is exclusive or.
 *
 * <p>
 * The work is done in blocks copied to {@code long[]} and back, as C2 vectorises loops over arrays but not over off-heap
 * memory with this many operands: straight on the segments it is three times slower.
 */
final class SwarKernel implements ErasureKernel {
    @Override
    public String name() {
        return "swar";
    }

    @Override
    public LinearMap prepare(GaloisMatrix matrix) {
        return new BitPlaneMap(matrix);
    }

    /** Multiplies all eight bytes of a word by 2. */
    private static long twice(long word) {
        long overflowed = (word >>> 7) & 0x0101010101010101L;
        long reduction = overflowed ^ (overflowed << 2) ^ (overflowed << 3) ^ (overflowed << 4);
        return ((word & 0x7F7F7F7F7F7F7F7FL) << 1) ^ reduction;
    }

    private static final class BitPlaneMap implements LinearMap {
        private static final int BITS = Byte.SIZE;
        /** The blocks of eight sources and two targets then fit into a second-level cache, and copies are long enough. */
        private static final int BLOCK_BYTES = 8 * 1024;
        private static final int BLOCK_LONGS = BLOCK_BYTES / Long.BYTES;

        private final GaloisMatrix matrix;
        private final long[][] sourceBlocks;
        private final long[] sum = new long[BLOCK_LONGS];
        /** The sources whose coefficient has a bit set, by row and bit. */
        private final long[][][][] planes;

        BitPlaneMap(GaloisMatrix matrix) {
            this.matrix = matrix;
            this.sourceBlocks = new long[matrix.columns()][BLOCK_LONGS];
            this.planes = new long[matrix.rows()][BITS][][];
            for (int row = 0; row < matrix.rows(); row++) {
                for (int bit = 0; bit < BITS; bit++) {
                    planes[row][bit] = plane(row, bit);
                }
            }
        }

        private long[][] plane(int row, int bit) {
            List<long[]> members = new ArrayList<>();
            for (int column = 0; column < matrix.columns(); column++) {
                if (((matrix.at(row, column) >>> bit) & 1) != 0) {
                    members.add(sourceBlocks[column]);
                }
            }
            return members.toArray(long[][]::new);
        }

        @Override
        public GaloisMatrix matrix() {
            return matrix;
        }

        @Override
        public void apply(MemorySegment[] sources, MemorySegment[] targets) {
            SegmentChecks.checkApply(matrix, sources, targets);
            long bytes = targets[0].byteSize();
            for (long offset = 0; offset < bytes; offset += BLOCK_BYTES) {
                long blockBytes = Math.min(BLOCK_BYTES, bytes - offset);
                for (int column = 0; column < sources.length; column++) {
                    MemorySegment block = MemorySegment.ofArray(sourceBlocks[column]);
                    MemorySegment.copy(sources[column], offset, block, 0, blockBytes);
                }
                for (int row = 0; row < targets.length; row++) {
                    sumOfProducts(planes[row]);
                    MemorySegment.copy(MemorySegment.ofArray(sum), 0, targets[row], offset, blockBytes);
                }
            }
        }

        private void sumOfProducts(long[][][] planesOfRow) {
            int bit = BITS - 1;
            while (bit > 0 && planesOfRow[bit].length == 0) {
                bit--;
            }
            Arrays.fill(sum, 0);
            addAll(sum, planesOfRow[bit], 0);
            while (--bit >= 0) {
                long[][] plane = planesOfRow[bit];
                switch (plane.length) {
                    case 0 -> doubleEach(sum);
                    case 1 -> doubleAndAdd(sum, plane[0]);
                    case 2 -> doubleAndAdd(sum, plane[0], plane[1]);
                    default -> {
                        doubleAndAdd(sum, plane[0], plane[1], plane[2]);
                        addAll(sum, plane, 3);
                    }
                }
            }
        }

        @Override
        public void accumulate(int column, MemorySegment source, MemorySegment[] targets) {
            SegmentChecks.checkAccumulate(matrix, column, source, targets);
            long[] power = sourceBlocks[column];
            MemorySegment powerBlock = MemorySegment.ofArray(power);
            MemorySegment sumBlock = MemorySegment.ofArray(sum);
            long bytes = source.byteSize();
            for (long offset = 0; offset < bytes; offset += BLOCK_BYTES) {
                long blockBytes = Math.min(BLOCK_BYTES, bytes - offset);
                for (int row = 0; row < targets.length; row++) {
                    MemorySegment.copy(source, offset, powerBlock, 0, blockBytes);
                    MemorySegment.copy(targets[row], offset, sumBlock, 0, blockBytes);
                    addProduct(sum, power, matrix.at(row, column));
                    MemorySegment.copy(sumBlock, 0, targets[row], offset, blockBytes);
                }
            }
        }

        /** Adds {@code coefficient * power}; {@code power} is left multiplied by a power of two. */
        private static void addProduct(long[] sum, long[] power, int coefficient) {
            for (int rest = coefficient; rest != 0; rest >>>= 1) {
                if ((rest & 1) != 0) {
                    add(sum, power);
                }
                if (rest > 1) {
                    doubleEach(power);
                }
            }
        }

        private static void addAll(long[] sum, long[][] plane, int from) {
            int next = from;
            for (; next + 4 <= plane.length; next += 4) {
                add(sum, plane[next], plane[next + 1], plane[next + 2], plane[next + 3]);
            }
            for (; next < plane.length; next++) {
                add(sum, plane[next]);
            }
        }

        private static void add(long[] sum, long[] a) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] ^= a[i];
            }
        }

        private static void add(long[] sum, long[] a, long[] b, long[] c, long[] d) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] ^= a[i] ^ b[i] ^ c[i] ^ d[i];
            }
        }

        private static void doubleEach(long[] sum) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] = twice(sum[i]);
            }
        }

        private static void doubleAndAdd(long[] sum, long[] a) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] = twice(sum[i]) ^ a[i];
            }
        }

        private static void doubleAndAdd(long[] sum, long[] a, long[] b) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] = twice(sum[i]) ^ a[i] ^ b[i];
            }
        }

        private static void doubleAndAdd(long[] sum, long[] a, long[] b, long[] c) {
            for (int i = 0; i < BLOCK_LONGS; i++) {
                sum[i] = twice(sum[i]) ^ a[i] ^ b[i] ^ c[i];
            }
        }
    }
}

package org.restorej.internal.erasure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A kernel in plain Java that processes four bytes at a time in ints of heap arrays, by the loops of
 * {@link PackedBytes}, in blocks that fit into a cache.
 *
 * <p>
 * A sum of products of many sources is computed by bit planes of the coefficients, from the highest: double the sum,
 * then add every source whose coefficient has the bit. So each target takes seven doublings for any number of sources,
 * and everything else is exclusive or. The product of a single source is added to a target in one pass, directly in the
 * target's memory; one heap copy of the source serves all targets.
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

    private static final class BitPlaneMap implements LinearMap {
        private static final int BITS = Byte.SIZE;
        /**
         * The blocks of eight sources and two targets then fit into a second-level cache, and copies are long enough.
         */
        private static final int BLOCK_BYTES = 8 * 1024;
        private static final int BLOCK_INTS = BLOCK_BYTES / Integer.BYTES;

        private final GaloisMatrix matrix;
        private final int[][] sourceBlocks;
        private final int[] sum = new int[BLOCK_INTS];
        /** The sources whose coefficient has a bit set, by row and bit. */
        private final int[][][][] planes;

        BitPlaneMap(GaloisMatrix matrix) {
            this.matrix = matrix;
            this.sourceBlocks = new int[matrix.columns()][BLOCK_INTS];
            this.planes = new int[matrix.rows()][BITS][][];
            for (int row = 0; row < matrix.rows(); row++) {
                for (int bit = 0; bit < BITS; bit++) {
                    planes[row][bit] = plane(row, bit);
                }
            }
        }

        private int[][] plane(int row, int bit) {
            List<int[]> members = new ArrayList<>();
            for (int column = 0; column < matrix.columns(); column++) {
                if (((matrix.at(row, column) >>> bit) & 1) != 0) {
                    members.add(sourceBlocks[column]);
                }
            }
            return members.toArray(int[][]::new);
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

        private void sumOfProducts(int[][][] planesOfRow) {
            int bit = BITS - 1;
            while (bit > 0 && planesOfRow[bit].length == 0) {
                bit--;
            }
            Arrays.fill(sum, 0);
            PackedBytes.addAll(sum, planesOfRow[bit], 0);
            while (--bit >= 0) {
                PackedBytes.doubleAndAddAll(sum, planesOfRow[bit]);
            }
        }

        @Override
        public void accumulate(int column, MemorySegment source, MemorySegment[] targets) {
            SegmentChecks.checkAccumulate(matrix, column, source, targets);
            if (matrix.rows() == 1 && matrix.at(0, column) == 1) {
                SegmentXor.xor(source, targets[0]);
                return;
            }
            int[] block = sourceBlocks[column];
            MemorySegment blockSegment = MemorySegment.ofArray(block);
            long bytes = source.byteSize();
            for (long offset = 0; offset < bytes; offset += BLOCK_BYTES) {
                int blockBytes = (int) Math.min(BLOCK_BYTES, bytes - offset);
                MemorySegment.copy(source, offset, blockSegment, 0, blockBytes);
                for (int row = 0; row < targets.length; row++) {
                    addProduct(block, blockBytes, matrix.at(row, column), targets[row].asSlice(offset, blockBytes));
                }
            }
        }

        private static void addProduct(int[] block, int blockBytes, int coefficient, MemorySegment target) {
            int words = blockBytes / Integer.BYTES;
            PackedBytes.addProduct(block, words, coefficient, target);
            MemorySegment blockSegment = MemorySegment.ofArray(block);
            for (int at = words * Integer.BYTES; at < blockBytes; at++) {
                int factor = blockSegment.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                byte sum = (byte) (target.get(ValueLayout.JAVA_BYTE, at) ^ GaloisField.multiply(coefficient, factor));
                target.set(ValueLayout.JAVA_BYTE, at, sum);
            }
        }
    }
}

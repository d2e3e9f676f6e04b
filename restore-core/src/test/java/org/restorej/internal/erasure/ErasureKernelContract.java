package org.restorej.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededRandom;

/** What every kernel must do, against the plain formula. */
abstract class ErasureKernelContract {
    private static final int[] SIZES = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
            1023,
            4096, 8191, 8192, 8193, 40_000};
    private static final int[] OFFSETS = {0, 1, 3, 8, 17};
    private static final byte GUARD = 0x5A;

    abstract ErasureKernel kernel();

    @Test
    void multipliesByEveryCoefficient() {
        try (Arena arena = Arena.ofConfined()) {
            byte[] all = new byte[256];
            for (int i = 0; i < all.length; i++) {
                all[i] = (byte) i;
            }
            MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, all);
            MemorySegment target = arena.allocate(all.length);
            for (int coefficient = 0; coefficient < 256; coefficient++) {
                GaloisMatrix matrix = GaloisMatrix.of(1, 1, new byte[]{(byte) coefficient});
                kernel().prepare(matrix).apply(new MemorySegment[]{source}, new MemorySegment[]{target});
                byte[] expected = new byte[256];
                for (int i = 0; i < all.length; i++) {
                    expected[i] = (byte) ProductsByDefinition.product(coefficient, i);
                }
                assertArrayEquals(expected, bytes(target), "coefficient " + coefficient);
            }
        }
    }

    @Test
    void appliesMatricesOfEveryShapeAtEverySizeAndOffset() {
        SeededRandom random = SeededRandom.forTest("appliesMatricesOfEveryShapeAtEverySizeAndOffset");
        for (int size : SIZES) {
            for (int offset : OFFSETS) {
                int rows = 1 + random.nextInt(7);
                int columns = 1 + random.nextInt(12);
                checkApply(random, GaloisMatrix.of(rows, columns, random.bytes(rows * columns)), size, offset);
            }
        }
    }

    @Test
    void addsUpSourcesWhenAllCoefficientsAreOne() {
        SeededRandom random = SeededRandom.forTest("addsUpSourcesWhenAllCoefficientsAreOne");
        for (int size : SIZES) {
            for (int offset : new int[]{0, 1, 32}) {
                checkApply(random, GaloisMatrix.parityOfOnes(1 + random.nextInt(9)), size, offset);
            }
        }
    }

    @Test
    void appliesSparseMatrices() {
        SeededRandom random = SeededRandom.forTest("appliesSparseMatrices");
        checkApply(random, GaloisMatrix.of(2, 3, new byte[6]), 100, 1);
        checkApply(random, GaloisMatrix.of(3, 2, new byte[]{1, 0, 0, (byte) 128, 2, 0}), 8200, 0);
    }

    @Test
    void appliesTheLargestMatrix() {
        SeededRandom random = SeededRandom.forTest("appliesTheLargestMatrix");
        checkApply(random, GaloisMatrix.reedSolomon(128, 128), 333, 0);
    }

    /** ISA-L goes through the sources once for every four rows, in pieces that stay in a cache. */
    @Test
    void appliesManyRowsToSourcesLongerThanAPiece() {
        SeededRandom random = SeededRandom.forTest("appliesManyRowsToSourcesLongerThanAPiece");
        for (int size : new int[]{32 * 1024, 32 * 1024 + 1, 70_000}) {
            checkApply(random, GaloisMatrix.of(5, 3, random.bytes(15)), size, 1);
        }
    }

    @Test
    void accumulatesOneSourceAfterAnotherToTheSameAsApplying() {
        SeededRandom random = SeededRandom.forTest("accumulatesOneSourceAfterAnotherToTheSameAsApplying");
        for (int size : SIZES) {
            int rows = 1 + random.nextInt(7);
            int columns = 1 + random.nextInt(5);
            checkAccumulate(random, GaloisMatrix.of(rows, columns, random.bytes(rows * columns)), size);
        }
    }

    @Test
    void accumulatesWithCoefficientsOfOne() {
        SeededRandom random = SeededRandom.forTest("accumulatesWithCoefficientsOfOne");
        for (int size : SIZES) {
            checkAccumulate(random, GaloisMatrix.parityOfOnes(3), size);
            checkAccumulate(random, GaloisMatrix.of(2, 2, new byte[]{1, 1, 1, 2}), size);
        }
    }

    @Test
    void xorsInPlaceAtEverySizeAndOffset() {
        SeededRandom random = SeededRandom.forTest("xorsInPlaceAtEverySizeAndOffset");
        for (int size : SIZES) {
            for (int offset : OFFSETS) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment source = randomSegments(arena, random, 1, size, offset)[0];
                    MemorySegment target = randomSegments(arena, random, 1, size, 0)[0];
                    byte[] expected = bytes(target);
                    for (int at = 0; at < size; at++) {
                        expected[at] ^= source.get(ValueLayout.JAVA_BYTE, at);
                    }
                    kernel().xor(source, target);
                    assertArrayEquals(expected, bytes(target), "size " + size + ", offset " + offset);
                }
            }
        }
    }

    @Test
    void refusesMemoryThatIsClosed() {
        Arena closed = Arena.ofConfined();
        MemorySegment gone = closed.allocate(8);
        closed.close();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment eight = arena.allocate(8);
            MemorySegment[] target = {arena.allocate(8)};
            LinearMap map = kernel().prepare(GaloisMatrix.parityOfOnes(2));
            assertThrows(IllegalArgumentException.class, () -> map.accumulate(0, gone, target));
            assertThrows(IllegalArgumentException.class, () -> map.accumulate(0, eight, new MemorySegment[]{gone}));
            assertThrows(IllegalArgumentException.class, () -> map.apply(new MemorySegment[]{eight, gone}, target));
        }
    }

    @Test
    void refusesWhatWouldReachOtherMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment eight = arena.allocate(8);
            MemorySegment nine = arena.allocate(9);
            MemorySegment heap = MemorySegment.ofArray(new byte[8]);
            LinearMap map = kernel().prepare(GaloisMatrix.parityOfOnes(2));
            MemorySegment[] two = {eight, eight};
            assertThrows(IllegalArgumentException.class, () -> kernel().xor(eight, nine));
            assertThrows(IllegalArgumentException.class, () -> kernel().xor(heap, eight));
            assertThrows(IllegalArgumentException.class, () -> kernel().xor(eight, heap));
            assertThrows(IllegalArgumentException.class, () -> kernel().xor(eight, eight.asReadOnly()));
            assertThrows(IllegalArgumentException.class, () -> map.apply(two, new MemorySegment[]{nine}));
            assertThrows(IllegalArgumentException.class, () -> map.apply(two, two));
            assertThrows(IllegalArgumentException.class,
                    () -> map.apply(new MemorySegment[]{eight}, new MemorySegment[]{eight}));
            assertThrows(IndexOutOfBoundsException.class,
                    () -> map.accumulate(2, eight, new MemorySegment[]{arena.allocate(8)}));
        }
    }

    private void checkApply(SeededRandom random, GaloisMatrix matrix, int size, int offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] sources = randomSegments(arena, random, matrix.columns(), size, offset);
            MemorySegment[] targets = new MemorySegment[matrix.rows()];
            MemorySegment[] guarded = new MemorySegment[matrix.rows()];
            for (int row = 0; row < targets.length; row++) {
                guarded[row] = arena.allocate(offset + size + 64L, 64).fill(GUARD);
                targets[row] = guarded[row].asSlice(offset, size);
            }
            kernel().prepare(matrix).apply(sources, targets);
            byte[][] expected = formula(matrix, sources);
            for (int row = 0; row < targets.length; row++) {
                assertArrayEquals(expected[row], bytes(targets[row]),
                        "size " + size + ", offset " + offset + ", row " + row + " of " + matrix);
                targets[row].fill(GUARD);
                byte[] untouched = new byte[(int) guarded[row].byteSize()];
                Arrays.fill(untouched, GUARD);
                assertArrayEquals(untouched, bytes(guarded[row]), "bytes around the target");
            }
        }
    }

    private void checkAccumulate(SeededRandom random, GaloisMatrix matrix, int size) {
        int offset = random.nextInt(20);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] sources = randomSegments(arena, random, matrix.columns(), size, offset);
            MemorySegment[] targets = randomSegments(arena, random, matrix.rows(), size, offset + 1);
            byte[][] expected = formula(matrix, sources);
            for (int row = 0; row < matrix.rows(); row++) {
                for (int at = 0; at < size; at++) {
                    expected[row][at] ^= targets[row].get(ValueLayout.JAVA_BYTE, at);
                }
            }
            LinearMap map = kernel().prepare(matrix);
            for (int column = 0; column < matrix.columns(); column++) {
                map.accumulate(column, sources[column], targets);
            }
            for (int row = 0; row < matrix.rows(); row++) {
                assertArrayEquals(expected[row], bytes(targets[row]),
                        "size " + size + ", row " + row + " of " + matrix);
            }
        }
    }

    private static MemorySegment[] randomSegments(Arena arena, SeededRandom random, int count, int size, int offset) {
        MemorySegment[] segments = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            segments[i] = arena.allocate(offset + size + 1L, 64).asSlice(offset, size);
            segments[i].copyFrom(MemorySegment.ofArray(random.bytes(size)));
        }
        return segments;
    }

    private static byte[][] formula(GaloisMatrix matrix, MemorySegment[] sources) {
        int size = (int) sources[0].byteSize();
        byte[][] result = new byte[matrix.rows()][size];
        for (int row = 0; row < matrix.rows(); row++) {
            for (int column = 0; column < matrix.columns(); column++) {
                for (int at = 0; at < size; at++) {
                    int factor = sources[column].get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                    result[row][at] ^= (byte) ProductsByDefinition.product(matrix.at(row, column), factor);
                }
            }
        }
        return result;
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}

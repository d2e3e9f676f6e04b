package org.restorej.rows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The types of primitive arrays that hold rows.
 *
 * @param <A> the array type
 * @param elementBytes size of an element
 * @param allocate creates an array of a length, all zero
 * @param bytes views an array as memory, without a copy
 */
record ArrayKind<A>(long elementBytes, IntFunction<A> allocate, Function<A, MemorySegment> bytes) {
    static final ArrayKind<byte[]> BYTES = of(ValueLayout.JAVA_BYTE, byte[]::new, MemorySegment::ofArray);
    static final ArrayKind<int[]> INTS = of(ValueLayout.JAVA_INT, int[]::new, MemorySegment::ofArray);
    static final ArrayKind<long[]> LONGS = of(ValueLayout.JAVA_LONG, long[]::new, MemorySegment::ofArray);
    static final ArrayKind<float[]> FLOATS = of(ValueLayout.JAVA_FLOAT, float[]::new, MemorySegment::ofArray);
    static final ArrayKind<double[]> DOUBLES = of(ValueLayout.JAVA_DOUBLE, double[]::new, MemorySegment::ofArray);

    private static <A> ArrayKind<A> of(ValueLayout element, IntFunction<A> allocate,
            Function<A, MemorySegment> bytes) {
        return new ArrayKind<>(element.byteSize(), allocate, bytes);
    }

    long length(A array) {
        return bytes.apply(array).byteSize() / elementBytes;
    }
}

package org.restorej.comm.testing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.List;

/** Arrays of the types that communicators take, with content that a seed says. */
public final class TestArrays {
    /** Element types. */
    public static final List<Class<?>> TYPES = List.of(byte.class, int.class, long.class, float.class, double.class);

    private TestArrays() {}

    /** An array whose bytes follow from the seed. */
    public static Object array(Class<?> element, int length, long seed) {
        Object array = Array.newInstance(element, length);
        MemorySegment bytes = bytesOf(array);
        for (long i = 0; i < bytes.byteSize(); i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (seed * 31 + i * 7 + (i >> 8)));
        }
        return array;
    }

    /** An array of zeros. */
    public static Object zeros(Class<?> element, int length) {
        return Array.newInstance(element, length);
    }

    /** The bytes of an array. */
    public static MemorySegment bytesOf(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            default -> throw new IllegalArgumentException("array is a " + array.getClass());
        };
    }

    /** Throws unless both have the same type, length and bits. */
    public static void requireEqual(Object expected, Object actual, String what) {
        Checks.equal(expected.getClass(), actual.getClass(), "type of " + what);
        Checks.equal(Array.getLength(expected), Array.getLength(actual), "length of " + what);
        Checks.equal(-1L, bytesOf(expected).mismatch(bytesOf(actual)), "first wrong byte of " + what);
    }
}

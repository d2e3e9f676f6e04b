package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.message.MessageArguments;

/** Arrays of {@code byte}, {@code int}, {@code long}, {@code float} and {@code double} as bytes. */
final class PrimitiveArrays {
    /** The element types, indexed by their numbers in messages. */
    private static final Class<?>[] ELEMENTS = {byte.class, int.class, long.class, float.class, double.class};

    private PrimitiveArrays() {}

    /**
     * A view of an array's bytes.
     *
     * @throws IllegalArgumentException when it isn't an array of one of the five types, or longer than a message
     */
    static MemorySegment bytesOf(String argument, @Nullable Object array) {
        MemorySegment segment = switch (array) {
            case null -> throw notSuchAnArray(argument, "null");
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            default -> throw notSuchAnArray(argument, "a " + array.getClass().getTypeName());
        };
        MessageArguments.checkLength(argument, segment);
        return segment;
    }

    /**
     * Number of the type of an array.
     *
     * @throws IllegalArgumentException when it isn't an array of one of the five types
     */
    static int typeOf(String argument, Class<?> arrayClass) {
        for (int type = 0; type < ELEMENTS.length; type++) {
            if (ELEMENTS[type].equals(arrayClass.getComponentType())) {
                return type;
            }
        }
        throw notSuchAnArray(argument, "a " + arrayClass.getTypeName());
    }

    /** A new array of the type. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The class is that of an A.
    static <A> A newArray(Class<?> arrayClass, long byteSize) {
        int type = typeOf("array", arrayClass);
        return (A) Array.newInstance(ELEMENTS[type], Math.toIntExact(byteSize / elementBytes(type)));
    }

    /** A new array with these bytes. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As newArray.
    static <A> A copyOf(Class<?> arrayClass, MemorySegment bytes) {
        A array = newArray(arrayClass, bytes.byteSize());
        bytesOf("array", array).copyFrom(bytes);
        return array;
    }

    /** A new array of arrays, one for each PE. */
    @SuppressWarnings("unchecked") // the class is that of an A
    static <A> A[] arrayOf(Class<?> arrayClass, int size) {
        return (A[]) Array.newInstance(arrayClass, size);
    }

    /** A description such as {@code double[10]}. */
    static String describe(int type, long byteSize) {
        return ELEMENTS[type] + "[" + byteSize / elementBytes(type) + "]";
    }

    /** A description such as {@code double[]}. */
    static String describe(int type) {
        return ELEMENTS[type] + "[]";
    }

    private static int elementBytes(int type) {
        return switch (type) {
            case 0 -> Byte.BYTES;
            case 1, 3 -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }

    /**
     * The class of an array that an application has passed.
     *
     * @throws IllegalArgumentException when it is null
     */
    static Class<?> classOf(String argument, @Nullable Object array) {
        if (array == null) {
            throw notSuchAnArray(argument, "null");
        }
        return array.getClass();
    }

    private static IllegalArgumentException notSuchAnArray(String argument, String was) {
        return new IllegalArgumentException(
                argument + " must be an array of byte, int, long, float or double: " + argument + " is " + was);
    }
}

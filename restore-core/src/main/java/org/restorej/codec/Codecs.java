package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * Serializers of numbers, texts and arrays, to be imported statically.
 *
 * <p>
 * Numbers are in native byte order, as the arrays of a {@link org.restorej.ReplicatedArray} are: blocks live in the
 * memory of the processes of one job, whose machines have one order, and native order needs no conversion, so that
 * arrays are copied as they are. Arrays and texts are as long as their block says, without a length of their own.
 */
public final class Codecs {
    /** Longs, 8 bytes each. */
    public static final BlockSerializer<Long> LONG = new FixedCodec<>("a long", Long.BYTES,
            (value, block) -> block.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value),
            block -> block.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));

    /** Ints, 4 bytes each. */
    public static final BlockSerializer<Integer> INT = new FixedCodec<>("an int", Integer.BYTES,
            (value, block) -> block.set(ValueLayout.JAVA_INT_UNALIGNED, 0, value),
            block -> block.get(ValueLayout.JAVA_INT_UNALIGNED, 0));

    /** Doubles, 8 bytes each; every bit is kept. */
    public static final BlockSerializer<Double> DOUBLE = new FixedCodec<>("a double", Double.BYTES,
            (value, block) -> block.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, value),
            block -> block.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));

    /** Floats, 4 bytes each; every bit is kept. */
    public static final BlockSerializer<Float> FLOAT = new FixedCodec<>("a float", Float.BYTES,
            (value, block) -> block.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, value),
            block -> block.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));

    /** Booleans, a byte each: 0 or 1. */
    public static final BlockSerializer<Boolean> BOOLEAN = new FixedCodec<>("a boolean", Byte.BYTES,
            (value, block) -> block.set(ValueLayout.JAVA_BYTE, 0, (byte) (value ? 1 : 0)), Codecs::readBoolean);

    /** Arrays of bytes. */
    public static final BlockSerializer<byte[]> BYTES = new ArrayCodec<>("bytes", Byte.BYTES, byte[]::new,
            MemorySegment::ofArray);

    /** Arrays of ints. */
    public static final BlockSerializer<int[]> INTS = new ArrayCodec<>("ints", Integer.BYTES, int[]::new,
            MemorySegment::ofArray);

    /** Arrays of longs. */
    public static final BlockSerializer<long[]> LONGS = new ArrayCodec<>("longs", Long.BYTES, long[]::new,
            MemorySegment::ofArray);

    /** Arrays of floats. */
    public static final BlockSerializer<float[]> FLOATS = new ArrayCodec<>("floats", Float.BYTES, float[]::new,
            MemorySegment::ofArray);

    /** Arrays of doubles. */
    public static final BlockSerializer<double[]> DOUBLES = new ArrayCodec<>("doubles", Double.BYTES, double[]::new,
            MemorySegment::ofArray);

    /** Texts in UTF-8. One with half a surrogate pair, which UTF-8 can't say, is refused. */
    public static final BlockSerializer<String> STRING = new StringCodec();

    private Codecs() {}

    /**
     * Maps, as lists of their entries; the same maps in another order have other bytes. What is read is a new
     * {@link java.util.LinkedHashMap} in the order in which the map was iterated.
     */
    public static <K, V> BlockSerializer<Map<K, V>> map(BlockSerializer<K> keys, BlockSerializer<V> values) {
        return new MapCodec<>(keys, values);
    }

    private static boolean readBoolean(MemorySegment block) {
        byte value = block.get(ValueLayout.JAVA_BYTE, 0);
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("a boolean must be the byte 0 or 1: byte=" + value);
        }
        return value == 1;
    }
}

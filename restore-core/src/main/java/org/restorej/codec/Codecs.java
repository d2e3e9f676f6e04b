package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/**
 * Serializers of numbers, texts, arrays and records, to be imported statically.
 *
 * <p>
 * Numbers are in native byte order, as the arrays of a {@code ReplicatedArray} are: the processes of one job run on
 * machines of one byte order, and arrays are then copied without conversion. The length of an array or text follows
 * from the size of its block.
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

    /** Texts in UTF-8. A text with half a surrogate pair is not encodable, and throws. */
    public static final BlockSerializer<String> STRING = new StringCodec();

    private Codecs() {}

    /**
     * Maps, as lists of their entries; equal maps in another order have other bytes. A map is read as a new
     * {@link java.util.LinkedHashMap} in the order of iteration of the one that was written.
     */
    public static <K, V> BlockSerializer<Map<K, V>> map(BlockSerializer<K> keys, BlockSerializer<V> values) {
        return new MapCodec<>(keys, values);
    }

    /**
     * Records, composed of the serializers of their components, in the order in which the record declares them:
     *
     * <pre>{@code
     * record Particle(double x, double y, double mass) {}
     *
     * BlockSerializer<Particle> particles = Codecs.record(Particle.class, DOUBLE, DOUBLE, DOUBLE);
     * }</pre>
     *
     * <p>
     * The components are stored one after another, without gaps. One of variable size is preceded by its size in 4
     * bytes, and must be smaller than 2 GiB; the last component needs no size and gets the rest of the block. If every
     * component has a fixed size, so has the record. Records may be private; the package of one in a named module must
     * be open to {@code org.restorej.core}.
     *
     * @param type of the records
     * @param components a serializer for each component; one of another type is found when a record is written or read,
     *        and named in an {@link IllegalArgumentException}
     * @throws IllegalArgumentException when there are more or fewer serializers than components, or no components, or
     *         the package is not open
     */
    public static <R extends Record> BlockSerializer<R> record(Class<R> type, BlockSerializer<?>... components) {
        return new RecordCodec<>(type, List.of(components));
    }

    private static boolean readBoolean(MemorySegment block) {
        byte value = block.get(ValueLayout.JAVA_BYTE, 0);
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("a boolean must be the byte 0 or 1: byte=" + value);
        }
        return value == 1;
    }
}

package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

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

    // Java evaluates the arguments of a constructor from left to right, so the components are read in this order.

    /**
     * Records, composed of the serializers of their components, without reflection; here of three components:
     *
     * <pre>{@code
     * record Particle(double x, double y, double mass) {}
     *
     * BlockSerializer<Particle> particles = Codecs.record(Particle::new,
     *         DOUBLE.of(Particle::x), DOUBLE.of(Particle::y), DOUBLE.of(Particle::mass));
     * }</pre>
     *
     * <p>
     * The components are stored one after another, without gaps, in the given order. One of variable size is preceded
     * by its size in 4 bytes, and must be smaller than 2 GiB; the last component needs no size and gets the rest of the
     * block. If every component has a fixed size, so has the record. A record of more than eight components has records
     * as components: {@code POINT.of(Line::from), POINT.of(Line::to)}.
     *
     * @param <R> type of the records
     */
    public static <R extends Record, A> BlockSerializer<R> record(Function<? super A, ? extends R> constructor,
            BlockSerializer.Component<R, A> a) {
        return new RecordCodec<>(List.of(a), in -> constructor.apply(a.last(in)));
    }

    /** Records of two components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B> BlockSerializer<R> record(
            BiFunction<? super A, ? super B, ? extends R> constructor,
            BlockSerializer.Component<R, A> a, BlockSerializer.Component<R, B> b) {
        return new RecordCodec<>(List.of(a, b), in -> constructor.apply(a.next(in), b.last(in)));
    }

    /** Records of three components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C> BlockSerializer<R> record(Constructor3<R, A, B, C> constructor,
            BlockSerializer.Component<R, A> a, BlockSerializer.Component<R, B> b, BlockSerializer.Component<R, C> c) {
        return new RecordCodec<>(List.of(a, b, c), in -> constructor.make(a.next(in), b.next(in), c.last(in)));
    }

    /** Records of four components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C, D> BlockSerializer<R> record(Constructor4<R, A, B, C, D> constructor,
            BlockSerializer.Component<R, A> a, BlockSerializer.Component<R, B> b, BlockSerializer.Component<R, C> c,
            BlockSerializer.Component<R, D> d) {
        return new RecordCodec<>(List.of(a, b, c, d),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.last(in)));
    }

    /** Records of five components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C, D, E> BlockSerializer<R> record(
            Constructor5<R, A, B, C, D, E> constructor,
            BlockSerializer.Component<R, A> a, BlockSerializer.Component<R, B> b, BlockSerializer.Component<R, C> c,
            BlockSerializer.Component<R, D> d, BlockSerializer.Component<R, E> e) {
        return new RecordCodec<>(List.of(a, b, c, d, e),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.next(in), e.last(in)));
    }

    /** Records of six components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C, D, E, F> BlockSerializer<R> record(
            Constructor6<R, A, B, C, D, E, F> constructor,
            BlockSerializer.Component<R, A> a, BlockSerializer.Component<R, B> b, BlockSerializer.Component<R, C> c,
            BlockSerializer.Component<R, D> d, BlockSerializer.Component<R, E> e,
            BlockSerializer.Component<R, F> f) {
        return new RecordCodec<>(List.of(a, b, c, d, e, f),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.next(in), e.next(in), f.last(in)));
    }

    /** Records of seven components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C, D, E, F, G> BlockSerializer<R> record(
            Constructor7<R, A, B, C, D, E, F, G> constructor, BlockSerializer.Component<R, A> a,
            BlockSerializer.Component<R, B> b, BlockSerializer.Component<R, C> c,
            BlockSerializer.Component<R, D> d, BlockSerializer.Component<R, E> e, BlockSerializer.Component<R, F> f,
            BlockSerializer.Component<R, G> g) {
        return new RecordCodec<>(List.of(a, b, c, d, e, f, g), in -> constructor.make(a.next(in), b.next(in),
                c.next(in), d.next(in), e.next(in), f.next(in), g.last(in)));
    }

    /** Records of eight components; see {@link #record(Function, BlockSerializer.Component)}. */
    public static <R extends Record, A, B, C, D, E, F, G, H> BlockSerializer<R> record(
            Constructor8<R, A, B, C, D, E, F, G, H> constructor, BlockSerializer.Component<R, A> a,
            BlockSerializer.Component<R, B> b,
            BlockSerializer.Component<R, C> c, BlockSerializer.Component<R, D> d, BlockSerializer.Component<R, E> e,
            BlockSerializer.Component<R, F> f, BlockSerializer.Component<R, G> g,
            BlockSerializer.Component<R, H> h) {
        return new RecordCodec<>(List.of(a, b, c, d, e, f, g, h), in -> constructor.make(a.next(in), b.next(in),
                c.next(in), d.next(in), e.next(in), f.next(in), g.next(in), h.last(in)));
    }

    /** Makes a record of three components. */
    @FunctionalInterface
    public interface Constructor3<R extends Record, A, B, C> {
        /** A new record. */
        R make(A a, B b, C c);
    }

    /** Makes a record of four components. */
    @FunctionalInterface
    public interface Constructor4<R extends Record, A, B, C, D> {
        /** A new record. */
        R make(A a, B b, C c, D d);
    }

    /** Makes a record of five components. */
    @FunctionalInterface
    public interface Constructor5<R extends Record, A, B, C, D, E> {
        /** A new record. */
        R make(A a, B b, C c, D d, E e);
    }

    /** Makes a record of six components. */
    @FunctionalInterface
    public interface Constructor6<R extends Record, A, B, C, D, E, F> {
        /** A new record. */
        R make(A a, B b, C c, D d, E e, F f);
    }

    /** Makes a record of seven components. */
    @FunctionalInterface
    public interface Constructor7<R extends Record, A, B, C, D, E, F, G> {
        /** A new record. */
        R make(A a, B b, C c, D d, E e, F f, G g);
    }

    /** Makes a record of eight components. */
    @FunctionalInterface
    public interface Constructor8<R extends Record, A, B, C, D, E, F, G, H> {
        /** A new record. */
        R make(A a, B b, C c, D d, E e, F f, G g, H h);
    }

    private static boolean readBoolean(MemorySegment block) {
        byte value = block.get(ValueLayout.JAVA_BYTE, 0);
        if (value != 0 && value != 1) {
            throw new IllegalArgumentException("a boolean must be the byte 0 or 1: byte=" + value);
        }
        return value == 1;
    }
}

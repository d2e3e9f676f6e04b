package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Serializers of records, made of those of their components, without reflection:
 *
 * <pre>{@code
 * record Particle(double x, double y, double mass) {}
 *
 * BlockSerializer<Particle> particles = RecordCodec.of(Particle::new,
 *         DOUBLE.of(Particle::x), DOUBLE.of(Particle::y), DOUBLE.of(Particle::mass));
 * }</pre>
 *
 * <p>
 * The components lie one after another, without gaps, in the order given. One of varying size has its size before it,
 * in 4 bytes, and must be smaller than 2 GiB; when it is the last one, it has what is left of the block instead. Where
 * every component has a fixed size, the record has one. A record of more than eight components has records as
 * components: {@code POINT.of(Line::from), POINT.of(Line::to)}.
 *
 * @param <R> type of the records
 */
public final class RecordCodec<R extends Record> implements BlockSerializer<R> {
    private final List<Component<R, ?>> components;
    private final Function<PartReader, R> constructor;
    private final OptionalLong fixedSizeBytes;

    private RecordCodec(List<Component<R, ?>> components, Function<PartReader, R> constructor) {
        this.components = components;
        this.constructor = constructor;
        long fixed = 0;
        boolean varying = false;
        for (Component<R, ?> component : components) {
            varying |= component.bytes.isEmpty();
            fixed = Math.addExact(fixed, component.bytes.orElse(0));
        }
        fixedSizeBytes = varying ? OptionalLong.empty() : OptionalLong.of(fixed);
    }

    /**
     * A component of a record, made by {@link BlockSerializer#of}.
     *
     * @param <R> type of the records
     * @param <T> type of the component
     */
    public static final class Component<R extends Record, T> {
        private final BlockSerializer<T> serializer;
        private final Function<? super R, ? extends T> accessor;
        private final OptionalLong bytes;

        Component(BlockSerializer<T> serializer, Function<? super R, ? extends T> accessor) {
            this.serializer = serializer;
            this.accessor = Objects.requireNonNull(accessor, "accessor");
            bytes = serializer.fixedSizeBytes();
        }

        private T of(R object, int place) {
            T value = accessor.apply(object);
            if (value == null) {
                throw new NullPointerException("component " + place + " of a record must not be null");
            }
            return value;
        }

        private long sizeBytes(R object, int place, boolean last) {
            T value = of(object, place);
            if (bytes.isPresent()) {
                return bytes.getAsLong();
            }
            return last ? serializer.sizeBytes(value) : PartWriter.sizedBytes(serializer, value);
        }

        private void write(R object, PartWriter parts, int place, boolean last) {
            T value = of(object, place);
            if (bytes.isEmpty() && !last) {
                parts.putSized(serializer, value);
            } else {
                parts.put(serializer, value, bytes.orElse(parts.bytesLeft()));
            }
        }

        private T read(PartReader parts, boolean last) {
            return bytes.isEmpty() && !last
                    ? parts.nextSized(serializer)
                    : parts.next(serializer, bytes.orElse(parts.bytesLeft()));
        }

        private T next(PartReader parts) {
            return read(parts, false);
        }

        private T last(PartReader parts) {
            return read(parts, true);
        }
    }

    @Override
    public OptionalLong fixedSizeBytes() {
        return fixedSizeBytes;
    }

    @Override
    public long sizeBytes(R object) {
        if (fixedSizeBytes.isPresent()) {
            return fixedSizeBytes.getAsLong();
        }
        long bytes = 0;
        for (int i = 0; i < components.size(); i++) {
            bytes = Math.addExact(bytes, components.get(i).sizeBytes(object, i, i == components.size() - 1));
        }
        return bytes;
    }

    @Override
    public void write(R object, MemorySegment block) {
        PartWriter parts = new PartWriter(block);
        for (int i = 0; i < components.size(); i++) {
            components.get(i).write(object, parts, i, i == components.size() - 1);
        }
        parts.checkFull();
    }

    @Override
    public R read(MemorySegment block) {
        PartReader parts = new PartReader(block);
        R object = constructor.apply(parts);
        parts.checkEnd();
        return object;
    }

    // The arguments of a constructor are read in the order in which Java evaluates them: from left to right.

    /** Records of one component. */
    public static <R extends Record, A> RecordCodec<R> of(Function<? super A, ? extends R> constructor,
            Component<R, A> a) {
        return new RecordCodec<>(List.of(a), in -> constructor.apply(a.last(in)));
    }

    /** Records of two components. */
    public static <R extends Record, A, B> RecordCodec<R> of(BiFunction<? super A, ? super B, ? extends R> constructor,
            Component<R, A> a, Component<R, B> b) {
        return new RecordCodec<>(List.of(a, b), in -> constructor.apply(a.next(in), b.last(in)));
    }

    /** Records of three components. */
    public static <R extends Record, A, B, C> RecordCodec<R> of(Constructor3<R, A, B, C> constructor,
            Component<R, A> a, Component<R, B> b, Component<R, C> c) {
        return new RecordCodec<>(List.of(a, b, c), in -> constructor.make(a.next(in), b.next(in), c.last(in)));
    }

    /** Records of four components. */
    public static <R extends Record, A, B, C, D> RecordCodec<R> of(Constructor4<R, A, B, C, D> constructor,
            Component<R, A> a, Component<R, B> b, Component<R, C> c, Component<R, D> d) {
        return new RecordCodec<>(List.of(a, b, c, d),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.last(in)));
    }

    /** Records of five components. */
    public static <R extends Record, A, B, C, D, E> RecordCodec<R> of(Constructor5<R, A, B, C, D, E> constructor,
            Component<R, A> a, Component<R, B> b, Component<R, C> c, Component<R, D> d, Component<R, E> e) {
        return new RecordCodec<>(List.of(a, b, c, d, e),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.next(in), e.last(in)));
    }

    /** Records of six components. */
    public static <R extends Record, A, B, C, D, E, F> RecordCodec<R> of(Constructor6<R, A, B, C, D, E, F> constructor,
            Component<R, A> a, Component<R, B> b, Component<R, C> c, Component<R, D> d, Component<R, E> e,
            Component<R, F> f) {
        return new RecordCodec<>(List.of(a, b, c, d, e, f),
                in -> constructor.make(a.next(in), b.next(in), c.next(in), d.next(in), e.next(in), f.last(in)));
    }

    /** Records of seven components. */
    public static <R extends Record, A, B, C, D, E, F, G> RecordCodec<R> of(
            Constructor7<R, A, B, C, D, E, F, G> constructor, Component<R, A> a, Component<R, B> b, Component<R, C> c,
            Component<R, D> d, Component<R, E> e, Component<R, F> f, Component<R, G> g) {
        return new RecordCodec<>(List.of(a, b, c, d, e, f, g), in -> constructor.make(a.next(in), b.next(in),
                c.next(in), d.next(in), e.next(in), f.next(in), g.last(in)));
    }

    /** Records of eight components. */
    public static <R extends Record, A, B, C, D, E, F, G, H> RecordCodec<R> of(
            Constructor8<R, A, B, C, D, E, F, G, H> constructor, Component<R, A> a, Component<R, B> b,
            Component<R, C> c, Component<R, D> d, Component<R, E> e, Component<R, F> f, Component<R, G> g,
            Component<R, H> h) {
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
}

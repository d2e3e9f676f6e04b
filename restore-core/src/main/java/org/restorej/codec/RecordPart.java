package org.restorej.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.OptionalLong;

/**
 * One component of the records that a {@link RecordCodec} serializes.
 *
 * @param <T> what its serializer takes
 */
final class RecordPart<T> {
    /** For messages, such as "component mass of Particle". */
    private final String name;
    /** With the class of a primitive component's boxes in its place. */
    private final Class<?> type;
    private final MethodHandle accessor;
    private final BlockSerializer<T> serializer;
    private final OptionalLong fixedBytes;
    /** The last one is not preceded by its size. */
    private final boolean last;

    RecordPart(RecordComponent component, MethodHandles.Lookup lookup, BlockSerializer<T> serializer, boolean last)
            throws IllegalAccessException {
        name = "component " + component.getName() + " of " + component.getDeclaringRecord().getSimpleName();
        type = MethodType.methodType(component.getType()).wrap().returnType();
        accessor = lookup.unreflect(component.getAccessor())
                .asType(MethodType.methodType(Object.class, Record.class));
        this.serializer = serializer;
        fixedBytes = serializer.fixedSizeBytes();
        this.last = last;
    }

    /** A call that, as all calls of method handles, may throw anything. */
    @FunctionalInterface
    interface HandleCall {
        /** Calls it. */
        Object call() throws Throwable;
    }

    /** Calls the code of a record, and throws what that throws. */
    static Object invoke(HandleCall call) {
        try {
            return call.call();
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable checked) {
            throw new IllegalStateException("a record has thrown a checked exception", checked);
        }
    }

    OptionalLong fixedBytes() {
        return fixedBytes;
    }

    @SuppressWarnings("unchecked") // A serializer of another type throws a ClassCastException, which is reported.
    private T of(Record object) {
        Object value = invoke(() -> (Object) accessor.invokeExact(object));
        if (value == null) {
            throw new NullPointerException(name + " must not be null");
        }
        return (T) value;
    }

    long sizeBytes(Record object) {
        if (fixedBytes.isPresent()) {
            return fixedBytes.getAsLong();
        }
        T value = of(object);
        try {
            return last ? serializer.sizeBytes(value) : PartWriter.sizedBytes(serializer, value);
        } catch (ClassCastException otherType) {
            throw wrongSerializer(otherType);
        }
    }

    void write(Record object, PartWriter writer) {
        T value = of(object);
        try {
            if (fixedBytes.isEmpty() && !last) {
                writer.putSized(serializer, value);
            } else {
                writer.put(serializer, value, fixedBytes.orElse(writer.bytesLeft()));
            }
        } catch (ClassCastException otherType) {
            throw wrongSerializer(otherType);
        }
    }

    Object read(PartReader reader) {
        Object value = fixedBytes.isEmpty() && !last
                ? reader.nextSized(serializer)
                : reader.next(serializer, fixedBytes.orElse(reader.bytesLeft()));
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(name + " must be read as " + type.getSimpleName() + ": its serializer"
                    + " reads " + value.getClass().getSimpleName());
        }
        return value;
    }

    private IllegalArgumentException wrongSerializer(ClassCastException cause) {
        return new IllegalArgumentException(name + " must have a serializer of its type, " + type.getSimpleName() + ": "
                + cause.getMessage(), cause);
    }
}

package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Serializes records, as {@link Codecs#record} describes.
 *
 * @param <R> type of the records
 */
final class RecordCodec<R extends Record> implements BlockSerializer<R> {
    private final Class<R> type;
    private final List<RecordPart<?>> parts = new ArrayList<>();
    /** Makes a record from an array of its components. */
    private final MethodHandle constructor;
    private final OptionalLong fixedSizeBytes;

    RecordCodec(Class<R> type, List<BlockSerializer<?>> serializers) {
        this.type = type;
        RecordComponent[] components = type.getRecordComponents();
        if (components.length != serializers.size() || components.length == 0) {
            throw new IllegalArgumentException("components must be one serializer, and at least one, for each component"
                    + " of " + type.getSimpleName() + '(' + Stream.of(components).map(RecordComponent::getName)
                            .collect(Collectors.joining(", "))
                    + "): components.length=" + serializers.size());
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Record.class, Object[].class));
            for (int i = 0; i < components.length; i++) {
                parts.add(new RecordPart<>(components[i], lookup, serializers.get(i), i == components.length - 1));
            }
        } catch (IllegalAccessException closed) {
            throw new IllegalArgumentException(
                    "the package of a record must be open to " + RecordCodec.class.getModule()
                            .getName() + " (opens " + type.getPackageName() + " in module-info.java): type="
                            + type.getName(),
                    closed);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(type + " without its own constructor", impossible);
        }
        fixedSizeBytes = parts.stream().anyMatch(part -> part.fixedBytes().isEmpty())
                ? OptionalLong.empty()
                : OptionalLong.of(parts.stream().mapToLong(part -> part.fixedBytes().getAsLong())
                        .reduce(0, Math::addExact));
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
        for (RecordPart<?> part : parts) {
            bytes = Math.addExact(bytes, part.sizeBytes(object));
        }
        return bytes;
    }

    @Override
    public void write(R object, MemorySegment block) {
        PartWriter writer = new PartWriter(block);
        for (RecordPart<?> part : parts) {
            part.write(object, writer);
        }
        writer.checkFull();
    }

    @Override
    public R read(MemorySegment block) {
        PartReader reader = new PartReader(block);
        Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).read(reader);
        }
        reader.checkEnd();
        return type.cast(RecordPart.invoke(() -> (Record) constructor.invokeExact(values)));
    }
}

package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Serializes records, as {@link Codecs#record} describes.
 *
 * @param <R> type of the records
 */
final class RecordCodec<R extends Record> implements BlockSerializer<R> {
    private final List<BlockSerializer.Component<R, ?>> components;
    private final Function<PartReader, R> constructor;
    private final OptionalLong fixedSizeBytes;

    RecordCodec(List<BlockSerializer.Component<R, ?>> components, Function<PartReader, R> constructor) {
        this.components = components;
        this.constructor = constructor;
        long fixed = 0;
        boolean varying = false;
        for (BlockSerializer.Component<R, ?> component : components) {
            varying |= component.bytes().isEmpty();
            fixed = Math.addExact(fixed, component.bytes().orElse(0));
        }
        fixedSizeBytes = varying ? OptionalLong.empty() : OptionalLong.of(fixed);
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
}

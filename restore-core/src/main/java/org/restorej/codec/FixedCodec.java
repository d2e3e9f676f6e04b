package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Serializes objects of fixed size.
 *
 * @param name name of an object, for messages
 * @param bytes its size
 */
record FixedCodec<T>(String name, long bytes, BiConsumer<T, MemorySegment> writer,
        Function<MemorySegment, T> reader) implements BlockSerializer<T> {
    @Override
    public OptionalLong fixedSizeBytes() {
        return OptionalLong.of(bytes);
    }

    @Override
    public long sizeBytes(T object) {
        return bytes;
    }

    @Override
    public void write(T object, MemorySegment block) {
        writer.accept(object, block);
    }

    @Override
    public T read(MemorySegment block) {
        if (block.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    name + " must have " + bytes + " bytes: block.byteSize()=" + block.byteSize());
        }
        return reader.apply(block);
    }
}

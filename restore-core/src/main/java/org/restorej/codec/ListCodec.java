package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Serializes lists. The length of a list follows from the size of its block. */
final class ListCodec<T> implements BlockSerializer<List<T>> {
    private final BlockSerializer<T> element;
    private final OptionalLong elementBytes;

    ListCodec(BlockSerializer<T> element) {
        this.element = element;
        elementBytes = element.fixedSizeBytes();
        if (elementBytes.isPresent() && elementBytes.getAsLong() < 1) {
            throw new IllegalArgumentException("the elements of a list must have at least 1 byte: fixedSizeBytes="
                    + elementBytes.getAsLong());
        }
    }

    @Override
    public long sizeBytes(List<T> list) {
        if (elementBytes.isPresent()) {
            return Math.multiplyExact(elementBytes.getAsLong(), list.size());
        }
        long bytes = 0;
        for (T each : list) {
            bytes = Math.addExact(bytes, PartWriter.sizedBytes(element, each));
        }
        return bytes;
    }

    @Override
    public void write(List<T> list, MemorySegment block) {
        PartWriter parts = new PartWriter(block);
        for (T each : list) {
            if (elementBytes.isPresent()) {
                parts.put(element, each, elementBytes.getAsLong());
            } else {
                parts.putSized(element, each);
            }
        }
        parts.checkFull();
    }

    @Override
    public List<T> read(MemorySegment block) {
        PartReader parts = new PartReader(block);
        List<T> list = new ArrayList<>();
        while (parts.bytesLeft() > 0) {
            list.add(elementBytes.isPresent()
                    ? parts.next(element, elementBytes.getAsLong())
                    : parts.nextSized(element));
        }
        return list;
    }
}

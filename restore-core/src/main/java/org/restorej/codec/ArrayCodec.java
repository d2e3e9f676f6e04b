package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Serializes primitive arrays. The length of an array follows from the size of its block.
 *
 * @param name plural name of the elements, for messages
 * @param elementBytes size of an element
 * @param allocate creates an array of a length
 * @param view an array as memory, without a copy
 */
record ArrayCodec<A>(String name, long elementBytes, IntFunction<A> allocate,
        Function<A, MemorySegment> view) implements BlockSerializer<A> {
    @Override
    public long sizeBytes(A array) {
        return view.apply(array).byteSize();
    }

    @Override
    public void write(A array, MemorySegment block) {
        block.copyFrom(view.apply(array));
    }

    @Override
    public A read(MemorySegment block) {
        long elements = block.byteSize() / elementBytes;
        if (block.byteSize() % elementBytes != 0 || elements > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an array of " + name + " must have a multiple of " + elementBytes
                    + " bytes, for at most " + Integer.MAX_VALUE + " elements: block.byteSize()=" + block.byteSize());
        }
        A array = allocate.apply((int) elements);
        view.apply(array).copyFrom(block);
        return array;
    }
}

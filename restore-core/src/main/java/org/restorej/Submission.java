package org.restorej;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.restorej.block.BlockRange;

/**
 * The blocks that one PE contributes to a data set: any ids, in any order, from anywhere. Collecting them does nothing
 * yet; {@link ReStore#submit(Submission)} reads the memory and calls the writers.
 *
 * <p>
 * Off-heap memory is sent from where it is. Arrays, heap buffers and writers go through a staging buffer of bounded
 * size. One thread.
 */
public final class Submission {
    /** Where the bytes of a range come from. */
    sealed interface Source permits Bytes, Writer {}

    /** Bytes that are there. */
    record Bytes(MemorySegment segment) implements Source {}

    /** Bytes that are written block by block. */
    record Writer(BlockWriter writer) implements Source {}

    /** A range and its source. */
    record Entry(BlockRange blocks, Source source) {}

    private final List<Entry> entries = new ArrayList<>();

    /** Contributes nothing so far, which is fine where other PEs contribute everything. */
    public Submission() {}

    /**
     * Adds blocks that lie one after another in memory, on or off the heap.
     *
     * @param blocks their ids
     * @param bytes as many bytes as the blocks are long; must stay unchanged until the submit returns
     */
    public Submission add(BlockRange blocks, MemorySegment bytes) {
        entries.add(
                new Entry(Objects.requireNonNull(blocks, "blocks"), new Bytes(Objects.requireNonNull(bytes, "bytes"))));
        return this;
    }

    /** Adds the bytes between a buffer's position and limit. */
    public Submission add(BlockRange blocks, ByteBuffer bytes) {
        return add(blocks, MemorySegment.ofBuffer(bytes));
    }

    /** Adds an array. */
    public Submission add(BlockRange blocks, byte[] bytes) {
        return add(blocks, MemorySegment.ofArray(bytes));
    }

    /** Adds an array, in native byte order. */
    public Submission add(BlockRange blocks, int[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array, in native byte order. */
    public Submission add(BlockRange blocks, long[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array, in native byte order. */
    public Submission add(BlockRange blocks, float[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array, in native byte order. */
    public Submission add(BlockRange blocks, double[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds blocks that are written one by one when they are submitted. */
    public Submission add(BlockRange blocks, BlockWriter writer) {
        entries.add(new Entry(Objects.requireNonNull(blocks, "blocks"),
                new Writer(Objects.requireNonNull(writer, "writer"))));
        return this;
    }

    List<Entry> entries() {
        return entries;
    }
}

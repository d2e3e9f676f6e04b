package org.restorej;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.operation.SubmissionEntry;
import org.restorej.internal.operation.SubmissionEntry.Source;

/**
 * The blocks that one PE contributes to a data set: any ids, in any order, from anywhere. Collecting them does nothing
 * yet; {@link ReStore#submit(Submission)} reads the memory and calls the writers.
 *
 * <p>
 * Off-heap memory is sent from where it is. Arrays, heap buffers and writers go through a copy buffer of bounded
 * size. Blocks of a store that has {@linkplain ReStoreBuilder#variableBlockSizes variable sizes} are added with their
 * sizes, those of other stores without. One thread.
 */
public final class Submission {
    /** Takes bytes of blocks, in ascending order of ids. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes some.
         *
         * @param blocks how many; one, where the blocks of the store have different sizes
         * @param bytes of these blocks, on or off the heap; valid only during the call
         */
        void accept(long blocks, MemorySegment bytes) throws IOException;
    }

    private static final Submission WITHOUT_MEMORY = refused("there is no memory for the submission");

    private final List<SubmissionEntry> entries = new ArrayList<>();
    /** Where it is a copy, what it is a copy of. */
    private final @Nullable BlockImage image;
    /** Whether it is a copy that is complete. */
    private boolean closed;

    /** Contributes nothing so far, which is fine where other PEs contribute everything. */
    public Submission() {
        this(null);
    }

    private Submission(@Nullable BlockImage image) {
        this.image = image;
    }

    /**
     * Adds blocks that are stored one after another in memory, on or off the heap.
     *
     * @param blocks their ids
     * @param bytes as many bytes as the blocks are long; must stay unchanged until the submit is done
     */
    public Submission add(BlockRange blocks, MemorySegment bytes) {
        return add(blocks, null, bytesOf(bytes));
    }

    /** Adds blocks that are stored one after another between a buffer's position and limit. */
    public Submission add(BlockRange blocks, ByteBuffer bytes) {
        return add(blocks, MemorySegment.ofBuffer(bytes));
    }

    /** Adds an array of all bytes of the blocks, one block after another. */
    public Submission add(BlockRange blocks, byte[] bytes) {
        return add(blocks, MemorySegment.ofArray(bytes));
    }

    /** Adds an array with the blocks one after another, its elements in native byte order. */
    public Submission add(BlockRange blocks, int[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array with the blocks one after another, its elements in native byte order. */
    public Submission add(BlockRange blocks, long[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array with the blocks one after another, its elements in native byte order. */
    public Submission add(BlockRange blocks, float[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds an array with the blocks one after another, its elements in native byte order. */
    public Submission add(BlockRange blocks, double[] values) {
        return add(blocks, MemorySegment.ofArray(values));
    }

    /** Adds blocks that are written one by one when they are submitted. */
    public Submission add(BlockRange blocks, BlockRange.Writer writer) {
        return add(blocks, null, writtenBy(writer));
    }

    /**
     * Adds blocks of different sizes that are stored one after another in memory, on or off the heap.
     *
     * @param blocks their ids
     * @param sizes of these blocks
     * @param bytes as many bytes as the sizes add up to; must stay unchanged until the submit is done
     */
    public Submission add(BlockRange blocks, BlockRange.Sizes sizes, MemorySegment bytes) {
        return add(blocks, Objects.requireNonNull(sizes, "sizes"), bytesOf(bytes));
    }

    /** Adds blocks of different sizes that are written one by one, each into memory of its size. */
    public Submission add(BlockRange blocks, BlockRange.Sizes sizes, BlockRange.Writer writer) {
        return add(blocks, Objects.requireNonNull(sizes, "sizes"), writtenBy(writer));
    }

    private static Source bytesOf(MemorySegment bytes) {
        return new Source.Bytes(Objects.requireNonNull(bytes, "bytes"));
    }

    private static Source writtenBy(BlockRange.Writer writer) {
        return new Source.Writer(Objects.requireNonNull(writer, "writer"));
    }

    private Submission add(BlockRange blocks, BlockRange.@Nullable Sizes sizes, Source source) {
        if (closed) {
            throw new IllegalStateException("nothing can be added to a copy of a submission: blocks=" + blocks);
        }
        entries.add(new SubmissionEntry(Objects.requireNonNull(blocks, "blocks"), sizes, source));
        return this;
    }

    /** A submission that is refused on all PEs: by one that can't take part while the others are at it. */
    static Submission refused(String complaint) {
        Submission refused = new Submission();
        refused.entries.add(new SubmissionEntry(BlockRange.of(0, 0), null, new Source.Refused(complaint)));
        return refused;
    }

    /**
     * A submission that is refused on all PEs: for one that can't collect its blocks while the others are at the
     * submit. Needs no memory where that is what is missing.
     *
     * @param met what has kept this PE from it, for the message
     */
    public static Submission refused(Throwable met) {
        return met instanceof OutOfMemoryError
                ? WITHOUT_MEMORY
                : refused(met instanceof IllegalArgumentException
                        ? String.valueOf(met.getMessage())
                        : "the submission can't be made: " + met);
    }

    /** Ids of the blocks that have been added. */
    public BlockRanges ids() {
        return BlockRanges.of(entries.stream().map(SubmissionEntry::blocks).toList());
    }

    /**
     * A copy of all blocks off the heap, in memory of its own: to be submitted while the application changes its
     * blocks, and to be compared with what it has later. Calls the writers.
     *
     * @param arena owns the memory, as much as the blocks have; after a failure during its submit not to be
     *        closed before the next {@link ReStore#recover}
     * @param blockSizeBytes size of all blocks that were added without sizes
     * @throws InvalidSubmissionException when it can't be submitted
     */
    public Submission copy(Arena arena, long blockSizeBytes) {
        BlockImage copied = new BlockImage(arena, blockSizeBytes);
        entries.forEach(copied::copy);
        Submission copy = new Submission(copied);
        copied.addAllTo(copy);
        copy.closed = true;
        return copy;
    }

    /**
     * The blocks of this {@linkplain #copy copy} that an earlier copy has not, or has with other bytes: what {@link
     * ReStore#submitChanges} takes. They are in the memory of this copy.
     *
     * @throws IllegalArgumentException unless both are copies, of blocks of the same size
     */
    public Submission changesSince(Submission earlier) {
        BlockImage before = earlier.image;
        if (image == null || before == null) {
            throw new IllegalArgumentException("both submissions must be copies, made by copy");
        }
        return image.changesSince(before);
    }

    /**
     * Hands out the bytes of all blocks, in ascending order of ids, such as for a file. Calls the writers. What they
     * write goes through a buffer of 256 KiB, or of the largest block. Local.
     *
     * @param blockSizeBytes size of all blocks that were added without sizes
     * @throws InvalidSubmissionException when it can't be submitted
     */
    public void writeTo(long blockSizeBytes, Sink sink) throws IOException {
        new SubmissionReader(blockSizeBytes, sink).read(entries);
    }

    List<SubmissionEntry> entries() {
        return entries;
    }
}

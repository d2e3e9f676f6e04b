package org.restorej;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
 * The blocks that one PE contributes to a generation: any ids, in any order, from any memory. Adding blocks neither
 * copies nor sends them; {@link ReStore#submit(Submission)} reads the memory and calls the writers.
 *
 * <p>
 * Off-heap memory is sent directly. Arrays, heap buffers and writers go through a copy buffer of bounded size. Blocks
 * are added with their sizes if the store has {@linkplain ReStoreBuilder#variableBlockSizes variable sizes}, and
 * otherwise without. Not thread-safe.
 */
public final class Submission {
    /** Takes the bytes of blocks, in ascending order of ids. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes the bytes of the next blocks.
         *
         * @param blocks number of blocks; 1 if the blocks of the store have different sizes
         * @param bytes of these blocks, on or off the heap; valid only during the call
         */
        void accept(long blocks, MemorySegment bytes) throws IOException;
    }

    private static final Submission WITHOUT_MEMORY = refused("there is no memory for the submission");

    private final List<SubmissionEntry> entries = new ArrayList<>();

    /** Creates an empty submission. It may stay empty if other PEs contribute all blocks. */
    public Submission() {}

    /**
     * Adds blocks that are stored one after another in memory, on or off the heap. Arrays and buffers are given as
     * {@link MemorySegment#ofArray(double[])} and {@link MemorySegment#ofBuffer}.
     *
     * @param blocks their ids
     * @param bytes exactly the bytes of the blocks; must stay unchanged until the submit is done
     */
    public Submission add(BlockRange blocks, MemorySegment bytes) {
        return add(blocks, null, bytesOf(bytes));
    }

    /** Adds blocks that a writer writes one by one during the submit. */
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

    /** Adds blocks of different sizes that a writer writes one by one, each into memory of its size. */
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
        entries.add(new SubmissionEntry(Objects.requireNonNull(blocks, "blocks"), sizes, source));
        return this;
    }

    /** A submission that all PEs reject, from a PE that can't submit its blocks. */
    static Submission refused(String complaint) {
        Submission refused = new Submission();
        refused.entries.add(new SubmissionEntry(BlockRange.of(0, 0), null, new Source.Refused(complaint)));
        return refused;
    }

    /**
     * A submission that all PEs reject: passed by a PE that can't collect its blocks, since the other PEs are in the
     * submit. Needs no memory if the cause is an {@link OutOfMemoryError}.
     *
     * @param met the cause, for the message
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
     * Copies all blocks off the heap. The copy can be submitted while the application changes its blocks. Calls the
     * writers.
     *
     * @param arena owns the memory, which is as large as the blocks; after a failure during the submit of the copy it
     *        must not be closed before the next {@link ReStore#recover}
     * @param blockSizeBytes size of all blocks that were added without sizes
     * @throws InvalidSubmissionException when a length doesn't fit
     */
    public Submission copy(Arena arena, long blockSizeBytes) {
        Submission copy = new Submission();
        entries.forEach(entry -> copy.entries.add(entry.copy(arena, blockSizeBytes)));
        return copy;
    }

    /**
     * Passes the bytes of all blocks to a sink in ascending order of ids, for example to write a file. Calls the
     * writers; their output goes through a buffer of 256 KiB, or of the largest block. Local.
     *
     * @param blockSizeBytes size of all blocks that were added without sizes
     * @throws InvalidSubmissionException when a length doesn't fit
     */
    public void writeTo(long blockSizeBytes, Sink sink) throws IOException {
        new SubmissionReader(blockSizeBytes, sink).read(entries);
    }

    List<SubmissionEntry> entries() {
        return entries;
    }
}

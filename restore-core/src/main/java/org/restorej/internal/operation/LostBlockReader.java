package org.restorej.internal.operation;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.placement.BlockPositions;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * Reads lost blocks of one generation by the application's fallback, if there is one. Exceptions of the fallback are
 * stored, because the other PEs wait for this one. For one read; not thread-safe.
 */
public final class LostBlockReader {
    private final boolean isThere;
    private @Nullable Source source;
    /** Exception of the fallback's lookup. */
    private @Nullable Throwable notFound;
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable Error error;

    /** The source of lost blocks: the application's {@code ReStoreBuilder.Fallback} for one generation. */
    public interface Source {
        /** Reads a run of lost blocks into memory of exactly their size. */
        void read(BlockRange blocks, MemorySegment destination) throws Exception;

        /** The sizes of lost blocks. */
        BlockRange.Sizes sizes(BlockRange blocks) throws Exception;
    }

    /** Reads a run of lost blocks, or their sizes, starting at a slot. */
    @FunctionalInterface
    private interface RunReader {
        void read(Source source, BlockRange run, long slot) throws Exception;
    }

    /**
     * Creates a reader for one generation.
     *
     * @param find returns the fallback for it; if it throws, the blocks are lost. Null if the store has none
     */
    public LostBlockReader(@Nullable Supplier<Source> find) {
        isThere = find != null;
        try {
            source = find == null ? null : find.get();
        } catch (Throwable thrown) {
            notFound = thrown;
        }
    }

    boolean isThere() {
        return isThere;
    }

    /** Starts an attempt, and forgets earlier exceptions. */
    void begin() {
        failures.clear();
        error = notFound instanceof Error thrown ? thrown : null;
    }

    /**
     * Reads the sizes of lost blocks; those that can't be read are unchanged.
     *
     * @param sizes as {@link VariableLayout#putSize} writes them, at the slots of the pieces
     * @return whether all have been read
     */
    boolean readSizes(PieceTable lost, BlockPositions permutation, MemorySegment sizes) {
        return read(lost, permutation, (reader, run, slot) -> {
            BlockRange.Sizes known = reader.sizes(run);
            for (long i = 0; i < run.count(); i++) {
                VariableLayout.putSize(sizes, slot + i, known.bytesOf(run.first() + i));
            }
        });
    }

    /** Reads lost blocks to their slots; returns whether all have been read. */
    boolean readBlocks(PieceTable lost, BlockPositions permutation, MemorySegment buffer, BlockLayout layout) {
        return read(lost, permutation,
                (reader, run, slot) -> reader.read(run, layout.slice(buffer, slot, run.count())));
    }

    private boolean read(PieceTable lost, BlockPositions permutation, RunReader reader) {
        boolean complete = isThere || lost.size() == 0;
        for (int piece = 0; isThere && piece < lost.size(); piece++) {
            long slot = lost.slot(piece);
            for (BlockRange run : permutation.blocksAt(lost.position(piece),
                    lost.position(piece) + lost.count(piece))) {
                complete &= readRun(reader, run, slot);
                slot += run.count();
            }
        }
        return complete;
    }

    private boolean readRun(RunReader reader, BlockRange run, long slot) {
        try {
            if (notFound != null) {
                throw Settlement.<RuntimeException>sneakyThrow(notFound);
            }
            reader.read(Objects.requireNonNull(source, "source"), run, slot);
            return true;
        } catch (Throwable failure) {
            // Any exception of the application means that the blocks are lost.
            if (failure instanceof Error own) {
                error = own;
            }
            failures.add(failure);
            return false;
        }
    }

    /** Throws the {@link Error} that the fallback threw in this attempt, if any. */
    void throwError() {
        if (error != null) {
            throw error;
        }
    }

    /** Adds the fallback's exceptions in this attempt as suppressed exceptions. */
    void addFailures(Throwable loss) {
        failures.forEach(loss::addSuppressed);
    }
}

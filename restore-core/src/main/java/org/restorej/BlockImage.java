package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.internal.operation.SubmissionEntry;
import org.restorej.internal.operation.SubmissionEntry.Source;
import org.restorej.internal.storage.BlockLayout;
import org.restorej.internal.storage.BlockRun;
import org.restorej.internal.storage.UniformLayout;
import org.restorej.internal.storage.VariableLayout;

/**
 * A copy of the blocks that a PE submits. A background submit reads it while the application continues, and the next
 * generation is compared with it. Takes as much off-heap memory as the blocks. Not thread-safe.
 */
final class BlockImage {
    private final Arena arena;
    private final TreeMap<Long, BlockRun> runs = new TreeMap<>();
    private final long blockSizeBytes;

    /**
     * Creates an empty image.
     *
     * @param blockSizeBytes size of all blocks that are copied without sizes
     */
    BlockImage(Arena arena, long blockSizeBytes) {
        this.arena = arena;
        this.blockSizeBytes = blockSizeBytes;
    }

    void copy(SubmissionEntry entry) {
        BlockRange blocks = entry.blocks();
        if (blocks.count() == 0 && !(entry.source() instanceof Source.Refused)) {
            return;
        }
        BlockLayout layout = layout(blocks, entry.sizes());
        BlockRun run = new BlockRun(blocks, layout, arena.allocate(layout.bytes(), Long.BYTES));
        switch (entry.source()) {
            case Source.Refused(String complaint) -> throw new InvalidSubmissionException(complaint);
            case Source.Bytes(MemorySegment given) -> copy(blocks, given, run.bytes());
            case Source.Writer(BlockRange.Writer writer) -> {
                for (long id = blocks.first(); id < blocks.end(); id++) {
                    writer.write(id, run.block(id));
                }
            }
        }
        if (runs.put(blocks.first(), run) != null) {
            throw new InvalidSubmissionException("blocks must be submitted once: " + blocks);
        }
    }

    private static void copy(BlockRange blocks, MemorySegment from, MemorySegment to) {
        if (from.byteSize() != to.byteSize()) {
            throw new InvalidSubmissionException("blocks " + blocks + " must have " + to.byteSize() + " bytes: bytes="
                    + from.byteSize());
        }
        to.copyFrom(from);
    }

    private BlockLayout layout(BlockRange blocks, BlockRange.@Nullable Sizes sizes) {
        if (sizes == null) {
            return new UniformLayout(blocks.count(), blockSizeBytes);
        }
        MemorySegment taken = arena.allocate(blocks.count() * VariableLayout.SIZE_BYTES);
        for (long id = blocks.first(); id < blocks.end(); id++) {
            VariableLayout.putSize(taken, id - blocks.first(), sizes.bytesOf(id));
        }
        return new VariableLayout(taken, arena);
    }

    private static boolean isUniform(BlockRun run) {
        return run.layout() instanceof UniformLayout;
    }

    void addAllTo(Submission submission) {
        runs.values().forEach(run -> add(run, run.blocks(), submission));
    }

    private static void add(BlockRun run, BlockRange part, Submission submission) {
        if (isUniform(run)) {
            submission.add(part, run.bytesOf(part));
        } else {
            submission.add(part, run::sizeOf, run.bytesOf(part));
        }
    }

    /** The blocks that the other image lacks or has with other bytes. */
    Submission changesSince(BlockImage before) {
        if (blockSizeBytes != before.blockSizeBytes) {
            throw new IllegalArgumentException("both copies must have blocks of the same size: " + blockSizeBytes
                    + " bytes, and earlier " + before.blockSizeBytes);
        }
        Submission changes = new Submission();
        for (BlockRun run : runs.values()) {
            for (BlockRange part : changedRuns(run, before)) {
                add(run, part, changes);
            }
        }
        return changes;
    }

    private List<BlockRange> changedRuns(BlockRun run, BlockImage before) {
        BlockRun same = before.runs.get(run.blocks().first());
        return same != null && same.blocks().equals(run.blocks()) && isUniform(same) && isUniform(run)
                ? differing(run, same)
                : changedBlocks(run, before);
    }

    /**
     * The runs of blocks whose bytes differ, for blocks of one size. Compares equal bytes once, and changed blocks one
     * by one.
     */
    private List<BlockRange> differing(BlockRun run, BlockRun before) {
        List<BlockRange> changed = new ArrayList<>();
        long bytes = run.bytes().byteSize();
        long size = blockSizeBytes;
        long end = 0;
        while (end < bytes) {
            long found = MemorySegment.mismatch(run.bytes(), end, bytes, before.bytes(), end, bytes);
            if (found < 0) {
                break;
            }
            long first = (end + found) / size;
            long next = first + 1;
            while (next * size < bytes && MemorySegment.mismatch(run.bytes(), next * size, (next + 1) * size,
                    before.bytes(), next * size, (next + 1) * size) >= 0) {
                next++;
            }
            changed.add(BlockRange.between(run.blocks().first() + first, run.blocks().first() + next));
            end = next * size;
        }
        return changed;
    }

    private static List<BlockRange> changedBlocks(BlockRun run, BlockImage before) {
        List<BlockRange> changed = new ArrayList<>();
        long first = -1;
        for (long id = run.blocks().first(); id < run.blocks().end(); id++) {
            boolean same = before.has(id, run.block(id));
            if (!same && first < 0) {
                first = id;
            } else if (same && first >= 0) {
                changed.add(BlockRange.between(first, id));
                first = -1;
            }
        }
        if (first >= 0) {
            changed.add(BlockRange.between(first, run.blocks().end()));
        }
        return changed;
    }

    private boolean has(long id, MemorySegment block) {
        Map.Entry<Long, BlockRun> run = runs.floorEntry(id);
        return run != null && run.getValue().blocks().contains(id)
                && run.getValue().block(id).mismatch(block) < 0;
    }
}

package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.coding.PartialSums;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.Checksum;

/**
 * Plans the rounds of one submission, and notes what has arrived at this PE.
 *
 * <p>
 * A piece goes to all its holders. Its sender also makes the checksums of the chunks that it has all blocks of, once
 * whatever the number of replicas; those of other chunks are left to the holders. One thread.
 */
public final class SubmitPlanner {
    private final BlockDirectory directory;
    private final Peers peers;
    private final boolean checksums;
    private final @Nullable Coverage coverage;
    private final @Nullable RowCode code;
    /** Whether parity alone is sent: of what changes, partial sums. */
    private final boolean onlyParity;
    private final LongSet unsealedChunks = new LongOpenHashSet();
    private final FaultyBlocks withoutHolder = new FaultyBlocks();

    /**
     * A planner.
     *
     * @param directory where the replicas are to be
     * @param checksums whether the holders have room for checksums
     * @param coverage told of what arrives here, unless null
     * @param code of the blocks, where they are coded
     */
    public SubmitPlanner(BlockDirectory directory, Peers peers, boolean checksums, @Nullable Coverage coverage,
            @Nullable RowCode code) {
        this(directory, peers, checksums, coverage, code, false);
    }

    /** A planner of what changed blocks change of their parity; its sources are the sums of their old and new bytes. */
    public static SubmitPlanner ofParity(BlockDirectory directory, Peers peers, RowCode code) {
        return new SubmitPlanner(directory, peers, false, null, code, true);
    }

    private SubmitPlanner(BlockDirectory directory, Peers peers, boolean checksums, @Nullable Coverage coverage,
            @Nullable RowCode code, boolean onlyParity) {
        this.code = code;
        this.onlyParity = onlyParity;
        this.directory = directory;
        this.peers = peers;
        this.checksums = checksums;
        this.coverage = coverage;
    }

    /** Whether checksums travel with the blocks. */
    public boolean checksums() {
        return checksums;
    }

    /** Blocks of this PE's rounds so far that no PE alive has a sound replica of. */
    public Optional<String> withoutHolder() {
        return withoutHolder.isEmpty() ? Optional.empty() : Optional.of(withoutHolder.toString());
    }

    /**
     * Chunks of this PE's memory whose blocks have come in several pieces, so that it must make the checksums itself.
     */
    public LongSet unsealedChunks() {
        return unsealedChunks;
    }

    /**
     * Plans a round.
     *
     * @param allocator gives memory for parity, until the round has ended
     */
    public SubmitPlan plan(SourceRuns sources, SegmentAllocator allocator) {
        PieceTable.Builder pieces = new PieceTable.Builder();
        PieceTable.Builder checksumPieces = new PieceTable.Builder();
        IntArrayList made = new IntArrayList();
        RowParity parity = code == null
                ? null
                : new RowParity(code, directory, peers, allocator, onlyParity, checksums, pieces, checksumPieces, made,
                        sources.blockCount());
        PieceCursor piece = new PieceCursor(directory);
        int[] holders = new int[directory.replication()];
        for (int run = 0; run < sources.count(); run++) {
            BlockRange blocks = sources.blocks(run);
            piece.begin(blocks.first(), blocks.count(), sources.firstSlot(run));
            while (piece.next()) {
                if (!onlyParity) {
                    addBlocks(piece, sources, holders, pieces, checksumPieces, made);
                }
                if (parity != null) {
                    parity.add(piece.position(), piece.count(), sources.at(piece.slot(), piece.count()));
                }
            }
            if (parity != null) {
                parity.endRow();
            }
        }
        PieceTable.PieceMemory bytes = parity == null
                ? sources::at
                : (slot, count) -> parity.contains(slot) ? parity.at(slot, count) : sources.at(slot, count);
        return new SubmitPlan(pieces.build(peers.size()), bytes, checksumPieces.build(peers.size()), made);
    }

    /** Adds a piece and its checksums for each holder. */
    private void addBlocks(PieceCursor piece, SourceRuns sources, int[] holders, PieceTable.Builder pieces,
            PieceTable.Builder checksumPieces, IntArrayList made) {
        int madeBefore = made.size();
        if (checksums) {
            makeChecksums(piece, sources, made);
        }
        if (piece.soundHolders(holders) == 0) {
            withoutHolder.add(directory.permutation(), piece.position(), piece.count());
        }
        // A damaged replica gets its changes, too: it may still be repaired.
        int holderCount = piece.holders(holders);
        for (int i = 0; i < holderCount; i++) {
            int holder = peers.currentRank(holders[i]);
            pieces.add(holder, piece.position(), piece.count(), piece.slot());
            if (made.size() > madeBefore) {
                checksumPieces.add(holder, 0, (long) made.size() - madeBefore, madeBefore);
            }
        }
    }

    /** Adds the checksums of the chunks that lie in a piece as a whole. */
    private void makeChecksums(PieceCursor piece, SourceRuns sources, IntArrayList made) {
        ChunkGrid grid = directory.grid();
        long first = piece.position();
        long end = first + piece.count();
        long chunk = grid.chunkFirst(first) == first ? first : grid.chunkEnd(first);
        while (chunk < end) {
            long chunkEnd = grid.chunkEnd(chunk);
            if (chunkEnd <= end) {
                made.add(Checksum.of(sources.at(piece.slot() + (chunk - first), chunkEnd - chunk)));
            }
            chunk = chunkEnd;
        }
    }

    /** Notes the pieces of a group that have arrived at this PE; group -1 has none. */
    public void noteArrived(PieceTable pieces, int group) {
        if (group < 0) {
            return;
        }
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            long position = pieces.position(piece);
            long count = pieces.count(piece);
            if (code != null && PartialSums.isAt(code.layout(), position)) {
                unsealedChunks.add(directory.grid().chunkFirst(PartialSums.parityOf(code.layout(), position)));
                continue;
            }
            if (coverage != null) {
                coverage.mark(position, count);
            }
            if (checksums) {
                noteCutChunks(position, position + count);
            }
        }
    }

    private void noteCutChunks(long position, long end) {
        ChunkGrid grid = directory.grid();
        if (grid.chunkFirst(position) != position) {
            unsealedChunks.add(grid.chunkFirst(position));
        }
        if (grid.chunkEnd(end - 1) != end) {
            unsealedChunks.add(grid.chunkFirst(end - 1));
        }
    }
}

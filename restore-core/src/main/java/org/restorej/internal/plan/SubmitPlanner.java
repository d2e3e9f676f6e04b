package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.Checksum;

/**
 * Plans the rounds of one submission, and records what has arrived at this PE.
 *
 * <p>
 * A piece is sent to all its holders. Its sender also computes the checksums of the chunks that it has completely, once
 * for any number of replicas. The holders compute those of other chunks. Not thread-safe.
 */
public final class SubmitPlanner {
    private final BlockDirectory directory;
    private final Peers peers;
    private final boolean checksums;
    private final @Nullable Coverage coverage;
    private final @Nullable RowCode code;
    private final LongSet unsealedChunks = new LongOpenHashSet();
    private final FaultyBlocks withoutHolder = new FaultyBlocks();

    /**
     * Creates a planner.
     *
     * @param directory places of the replicas
     * @param checksums whether the holders have space for checksums; always for coded blocks
     * @param coverage records what arrives here, unless null
     * @param code code of the blocks if parity is sent too, or null
     */
    public SubmitPlanner(BlockDirectory directory, Peers peers, boolean checksums, @Nullable Coverage coverage,
            @Nullable RowCode code) {
        this.directory = directory;
        this.peers = peers;
        this.checksums = checksums;
        this.coverage = coverage;
        this.code = code;
    }

    /** Blocks of this PE's rounds so far of which no survivor has a sound replica. */
    public Optional<String> withoutHolder() {
        return withoutHolder.isEmpty() ? Optional.empty() : Optional.of(withoutHolder.toString());
    }

    /**
     * Chunks of this PE's memory whose blocks arrived in several pieces, so that this PE must compute the checksums.
     */
    public LongSet unsealedChunks() {
        return unsealedChunks;
    }

    /**
     * Plans a round.
     *
     * @param allocator for the memory of parity and checksums, until the end of the round
     */
    public SubmitPlan plan(SourceRuns sources, SegmentAllocator allocator) {
        SubmitPlan.Builder round = new SubmitPlan.Builder();
        RowParity parity = code == null
                ? null
                : new RowParity(code, directory, peers, allocator, round, sources);
        PieceCursor piece = new PieceCursor(directory);
        int[] holders = new int[directory.replication()];
        for (int run = 0; run < sources.count(); run++) {
            BlockRange blocks = sources.blocks(run);
            piece.begin(blocks.first(), blocks.count(), sources.firstSlot(run));
            while (piece.next()) {
                addBlocks(piece, sources, holders, round);
                if (parity != null) {
                    parity.add(piece.position(), piece.count(), sources.at(piece.slot(), piece.count()));
                }
            }
            if (parity != null) {
                parity.endRow();
            }
        }
        return round.build(peers.size(), parity == null ? sources::at : parity, allocator);
    }

    /** Adds a piece and its checksums for each holder. */
    private void addBlocks(PieceCursor piece, SourceRuns sources, int[] holders, SubmitPlan.Builder round) {
        int firstChecksum = round.checksumCount();
        if (checksums) {
            makeChecksums(piece, sources, round);
        }
        if (piece.soundHolders(holders) == 0) {
            withoutHolder.add(directory.permutation(), piece.position(), piece.count());
        }
        // A damaged replica gets its changes too, since it may still be repaired.
        int holderCount = piece.holders(holders);
        for (int i = 0; i < holderCount; i++) {
            int holder = peers.currentRank(holders[i]);
            round.send(holder, piece.position(), piece.count(), piece.slot());
            round.sendChecksums(holder, firstChecksum);
        }
    }

    /** Adds the checksums of the chunks that lie completely in a piece. */
    private void makeChecksums(PieceCursor piece, SourceRuns sources, SubmitPlan.Builder round) {
        ChunkGrid grid = directory.grid();
        long first = piece.position();
        long end = first + piece.count();
        long chunk = grid.chunkFirst(first) == first ? first : grid.chunkEnd(first);
        while (chunk < end) {
            long chunkEnd = grid.chunkEnd(chunk);
            if (chunkEnd <= end) {
                round.addChecksum(Checksum.of(sources.at(piece.slot() + (chunk - first), chunkEnd - chunk)));
            }
            chunk = chunkEnd;
        }
    }

    /** Records the pieces of a group that have arrived at this PE; group -1 has none. */
    public void noteArrived(PieceTable pieces, int group) {
        if (group < 0) {
            return;
        }
        CodedLayout layout = directory.layout();
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            long position = pieces.position(piece);
            long count = pieces.count(piece);
            if (layout != null && layout.isContribution(position)) {
                unsealedChunks.add(layout.parityCell(position));
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

package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.Checksum;

/**
 * The parity of the blocks of one round of a submission, computed by the submitter. For a whole row in one run, that is
 * its m parity cells: {@code n * m / k} bytes of parity for n bytes. For less than a row, it is a partial sum for each
 * parity cell, as long as the longest part of the data cells. Not thread-safe.
 */
final class RowParity implements PieceTable.PieceMemory {
    private final RowCode code;
    private final CodedLayout layout;
    private final BlockDirectory directory;
    private final Peers peers;
    private final SegmentAllocator allocator;
    private final SubmitPlan.Builder round;
    private final SourceRuns sources;
    /** The parity by its slots, which follow those of the blocks. */
    private final LongArrayList firstSlots = new LongArrayList();
    private final List<MemorySegment> cells = new ArrayList<>();
    /** The pieces of the present row so far. */
    private final List<Piece> rowPieces = new ArrayList<>();
    private long nextSlot;
    private long row = -1;

    /**
     * Consecutive blocks of one data cell.
     *
     * @param part the part of the cell
     * @param offset of the first block in its cell
     */
    private record Piece(int part, long offset, long count, MemorySegment bytes) {
        /** First block of the cell after these. */
        long end() {
            return offset + count;
        }
    }

    /**
     * Creates the parity of a round.
     *
     * @param allocator for the memory of parity
     * @param round the plan that sends it
     * @param sources the blocks of the round
     */
    RowParity(RowCode code, BlockDirectory directory, Peers peers, SegmentAllocator allocator, SubmitPlan.Builder round,
            SourceRuns sources) {
        this.code = code;
        this.directory = directory;
        this.peers = peers;
        this.allocator = allocator;
        this.round = round;
        this.sources = sources;
        nextSlot = sources.blockCount();
        layout = code.layout();
    }

    /** Adds blocks of one cell, with ascending ids in a run. */
    void add(long position, long count, MemorySegment bytes) {
        long row = layout.rowOf(position);
        if (row != this.row) {
            endRow();
            this.row = row;
        }
        rowPieces.add(new Piece(layout.partOf(position), position % layout.cellBlocks(), count, bytes));
    }

    /** Ends the row, or the run within it. Sends its parity, complete if all blocks of the row are here. */
    void endRow() {
        if (rowPieces.isEmpty()) {
            return;
        }
        long blocks = rowPieces.stream().mapToLong(Piece::count).sum();
        boolean whole = blocks == layout.blocksInRow(row);
        long from = rowPieces.stream().mapToLong(Piece::offset).min().getAsLong();
        long to = rowPieces.stream().mapToLong(Piece::end).max().getAsLong();
        long first = layout.cell(row, rowPieces.getFirst().part()) + from;
        MemorySegment[] parity = parity(from);
        for (int i = 0; i < parity.length; i++) {
            long cell = layout.cell(row, layout.dataParts() + i);
            send(cell, whole ? cell + from : layout.contribution(i, first), to - from, parity[i], whole);
        }
        rowPieces.clear();
        row = -1;
    }

    /** The parity of the row's pieces, beginning at a block of their cells. */
    private MemorySegment[] parity(long from) {
        long bytes = rowPieces.stream().mapToLong(piece -> start(piece, from) + piece.bytes().byteSize()).max()
                .getAsLong();
        MemorySegment all = allocator.allocate(layout.parityParts() * bytes, Long.BYTES);
        MemorySegment[] parity = new MemorySegment[layout.parityParts()];
        Arrays.setAll(parity, i -> all.asSlice(i * bytes, bytes));
        // The number of bytes that all cells have is encoded at once.
        long encoded = rowPieces.size() == layout.dataParts()
                && rowPieces.stream().allMatch(piece -> piece.offset() == from)
                        ? rowPieces.stream().mapToLong(piece -> piece.bytes().byteSize()).min().getAsLong()
                        : 0;
        if (encoded > 0) {
            // If a row has blocks of several permutation ranges, its cells may be in any order.
            code.encode(rowPieces.stream().sorted(Comparator.comparingInt(Piece::part))
                    .map(piece -> piece.bytes().asSlice(0, encoded)).toArray(MemorySegment[]::new),
                    slices(parity, 0, encoded));
        }
        for (MemorySegment cell : parity) {
            cell.asSlice(encoded).fill((byte) 0);
        }
        for (Piece piece : rowPieces) {
            MemorySegment rest = piece.bytes().asSlice(encoded);
            if (rest.byteSize() > 0) {
                code.add(piece.part(), rest, slices(parity, start(piece, from) + encoded, rest.byteSize()));
            }
        }
        return parity;
    }

    /** Start of a piece in bytes, relative to a block. */
    private static long start(Piece piece, long from) {
        return (piece.offset() - from) * (piece.bytes().byteSize() / piece.count());
    }

    private static MemorySegment[] slices(MemorySegment[] cells, long offset, long bytes) {
        return Arrays.stream(cells).map(cell -> cell.asSlice(offset, bytes)).toArray(MemorySegment[]::new);
    }

    private void send(long cell, long position, long count, MemorySegment parity, boolean whole) {
        // A damaged part gets its parity too, since it may still be repaired.
        int placed = directory.replicaMap().holderOfPart(cell);
        if (placed == BlockDirectory.LOST) {
            return;
        }
        int holder = peers.currentRank(placed);
        round.send(holder, position, count, nextSlot);
        if (whole && count == layout.cellBlocks()) {
            int first = round.checksumCount();
            round.addChecksum(Checksum.of(parity));
            round.sendChecksums(holder, first);
        }
        firstSlots.add(nextSlot);
        cells.add(parity);
        nextSlot += count;
    }

    /** The memory of blocks, or of parity that is sent. */
    @Override
    public MemorySegment at(long slot, long count) {
        return slot < sources.blockCount()
                ? sources.at(slot, count)
                : cells.get(Arrays.binarySearch(firstSlots.elements(), 0, firstSlots.size(), slot));
    }
}

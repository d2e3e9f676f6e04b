package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.restorej.internal.coding.PartialSums;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.Checksum;

/**
 * The parity that goes with the blocks of one round of a submission, computed by who submits them. For a whole row in
 * one run that is its m parity cells, so for n bytes {@code n * m / k} bytes of parity; for less of a row a partial sum
 * for each parity cell, as long as the longest of what there is of its data cells. One thread.
 */
final class RowParity implements PieceTable.PieceMemory {
    private final RowCode code;
    private final CodedLayout layout;
    private final BlockDirectory directory;
    private final Peers peers;
    private final SegmentAllocator allocator;
    private final boolean onlyPartialSums;
    private final boolean checksums;
    private final PieceTable.Builder pieces;
    private final PieceTable.Builder checksumPieces;
    private final IntArrayList made;
    private final long firstSlot;
    private final LongArrayList firstSlots = new LongArrayList();
    private final List<MemorySegment> cells = new ArrayList<>();
    private final int[] holders;
    /** What there is of the present row. */
    private final List<Piece> rowPieces = new ArrayList<>();
    private long nextSlot;
    private long row = -1;

    private record Piece(int part, long offset, long count, MemorySegment bytes) {}

    /**
     * Parity of a round.
     *
     * @param allocator gives the memory of parity
     * @param onlyPartialSums whether that of whole rows comes as partial sums, too
     * @param checksums whether parity cells go with their checksums
     * @param pieces get parity, under slots from the first one on
     * @param checksumPieces get their checksums
     * @param made checksums that have been made
     */
    RowParity(RowCode code, BlockDirectory directory, Peers peers, SegmentAllocator allocator,
            boolean onlyPartialSums, boolean checksums, PieceTable.Builder pieces, PieceTable.Builder checksumPieces,
            IntArrayList made, long firstSlot) {
        this.code = code;
        this.directory = directory;
        this.peers = peers;
        this.allocator = allocator;
        this.onlyPartialSums = onlyPartialSums;
        this.checksums = checksums;
        this.pieces = pieces;
        this.checksumPieces = checksumPieces;
        this.made = made;
        this.firstSlot = firstSlot;
        nextSlot = firstSlot;
        layout = code.layout();
        holders = new int[directory.replication()];
    }

    /** Adds blocks of one cell, of ascending ids in a run. */
    void add(long position, long count, MemorySegment bytes) {
        long row = layout.rowOf(position);
        if (row != this.row) {
            endRow();
            this.row = row;
        }
        rowPieces.add(new Piece(layout.partOf(position), position % layout.cellBlocks(), count, bytes));
    }

    /** The run has no more blocks, or the row. */
    void endRow() {
        if (!rowPieces.isEmpty()) {
            long from = rowPieces.stream().mapToLong(Piece::offset).min().getAsLong();
            long to = rowPieces.stream().mapToLong(piece -> piece.offset() + piece.count()).max().getAsLong();
            long blocks = rowPieces.stream().mapToLong(Piece::count).sum();
            MemorySegment[] parity = parity(from, to);
            boolean whole = blocks == layout.blocksInRow(row) && !onlyPartialSums;
            for (int i = 0; i < parity.length; i++) {
                add(layout.cell(row, layout.dataParts() + i) + from, to - from, parity[i], whole);
            }
            rowPieces.clear();
        }
        row = -1;
    }

    /** The parity of blocks {@code from .. to - 1} of the row's cells. */
    private MemorySegment[] parity(long from, long to) {
        long blockBytes = rowPieces.getFirst().bytes().byteSize() / rowPieces.getFirst().count();
        MemorySegment all = allocator.allocate(layout.parityParts() * (to - from) * blockBytes, Long.BYTES);
        MemorySegment[] parity = new MemorySegment[layout.parityParts()];
        Arrays.setAll(parity, i -> all.asSlice(i * (to - from) * blockBytes, (to - from) * blockBytes));
        if (rowPieces.size() == layout.dataParts()
                && rowPieces.stream().allMatch(piece -> piece.count() == to - from)) {
            // Where a row has blocks of several permutation ranges, its cells come in any order.
            rowPieces.sort(Comparator.comparingInt(Piece::part));
            code.encode(rowPieces.stream().map(Piece::bytes).toArray(MemorySegment[]::new), parity);
            return parity;
        }
        all.fill((byte) 0);
        MemorySegment[] into = new MemorySegment[parity.length];
        for (Piece piece : rowPieces) {
            Arrays.setAll(into,
                    i -> parity[i].asSlice((piece.offset() - from) * blockBytes, piece.bytes().byteSize()));
            code.add(piece.part(), piece.bytes(), into);
        }
        return parity;
    }

    private void add(long position, long count, MemorySegment parity, boolean whole) {
        // A damaged part gets its parity, too: it may still be repaired.
        int range = directory.replicaMap().placement().rangeOf(position);
        if (directory.replicaMap().holders(range, directory.replicaMap().pieceOf(range, position), holders) == 0) {
            return;
        }
        int holder = peers.currentRank(holders[0]);
        pieces.add(holder, whole ? position : PartialSums.positionOf(layout, position), count, nextSlot);
        if (whole && checksums && count == layout.cellBlocks()) {
            checksumPieces.add(holder, 0, 1, made.size());
            made.add(Checksum.of(parity));
        }
        firstSlots.add(nextSlot);
        cells.add(parity);
        nextSlot += count;
    }

    /** Whether a slot is one of parity. */
    boolean contains(long slot) {
        return slot >= firstSlot;
    }

    @Override
    public MemorySegment at(long slot, long count) {
        return cells.get(Arrays.binarySearch(firstSlots.elements(), 0, firstSlots.size(), slot));
    }
}

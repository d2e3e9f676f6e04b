package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.Checksum;

/**
 * The parity that goes with the blocks of one round of a submission, computed by who submits them. For a whole row in
 * one run that is its m parity cells, so for n bytes {@code n * m / k} bytes of parity; for less of a row a partial sum
 * for each parity cell, as long as the longest of what there is of its data cells. Where blocks have different sizes, the
 * submitter doesn't know where those are in their cells: it sends a partial sum for each of them. One thread.
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
        long blocks = rowPieces.stream().mapToLong(Piece::count).sum();
        boolean whole = !onlyPartialSums && row >= 0 && blocks == layout.blocksInRow(row);
        if (!layout.isVariable() || whole) {
            // Where a row has blocks of several permutation ranges, its cells come in any order.
            rowPieces.sort(Comparator.comparingInt(Piece::part).thenComparingLong(Piece::offset));
            addParity(rowPieces, whole);
        } else {
            rowPieces.forEach(piece -> addParity(List.of(piece), false));
        }
        rowPieces.clear();
        row = -1;
    }

    /** Adds the parity of some pieces of the row. */
    private void addParity(List<Piece> pieces, boolean whole) {
        if (pieces.isEmpty()) {
            return;
        }
        long from = pieces.stream().mapToLong(Piece::offset).min().getAsLong();
        long to = whole && layout.isVariable()
                ? layout.cellBlocks()
                : pieces.stream().mapToLong(piece -> piece.offset() + piece.count()).max().getAsLong();
        int part = layout.isVariable() ? pieces.getFirst().part() : 0;
        MemorySegment[] parity = parity(pieces, from);
        for (int i = 0; i < parity.length; i++) {
            long cell = layout.cell(row, layout.dataParts() + i);
            add(cell, whole ? cell + from : layout.contribution(i, layout.cell(row, part) + from), to - from,
                    parity[i], whole);
        }
    }

    /** The parity of pieces, in the order of parts and blocks, from a block of their cells on. */
    private MemorySegment[] parity(List<Piece> pieces, long from) {
        long[] starts = starts(pieces, from);
        long bytes = 0;
        for (int i = 0; i < starts.length; i++) {
            bytes = Math.max(bytes, starts[i] + pieces.get(i).bytes().byteSize());
        }
        long cellBytes = bytes;
        MemorySegment all = allocator.allocate(layout.parityParts() * cellBytes, Long.BYTES);
        MemorySegment[] parity = new MemorySegment[layout.parityParts()];
        Arrays.setAll(parity, i -> all.asSlice(i * cellBytes, cellBytes));
        long encoded = encodedBytes(pieces, starts, parity);
        for (MemorySegment cell : parity) {
            cell.asSlice(encoded).fill((byte) 0);
        }
        MemorySegment[] into = new MemorySegment[parity.length];
        for (int i = 0; i < starts.length; i++) {
            MemorySegment rest = pieces.get(i).bytes().asSlice(encoded);
            long start = starts[i] + encoded;
            if (rest.byteSize() > 0) {
                Arrays.setAll(into, cell -> parity[cell].asSlice(start, rest.byteSize()));
                code.add(pieces.get(i).part(), rest, into);
            }
        }
        return parity;
    }

    /** Where in its cell each piece begins, in bytes behind those of a block; a whole row begins with it. */
    private long[] starts(List<Piece> pieces, long from) {
        long[] starts = new long[pieces.size()];
        for (int i = 0; i < starts.length; i++) {
            Piece piece = pieces.get(i);
            Piece before = i == 0 ? piece : pieces.get(i - 1);
            if (!layout.isVariable()) {
                starts[i] = (piece.offset() - from) * (piece.bytes().byteSize() / piece.count());
            } else if (i > 0 && before.part() == piece.part()) {
                starts[i] = starts[i - 1] + before.bytes().byteSize();
            }
        }
        return starts;
    }

    /** Encodes at once as many bytes as all cells of a row have; comes to how many, and 0 unless all are there. */
    private long encodedBytes(List<Piece> pieces, long[] starts, MemorySegment[] parity) {
        boolean oneOfEach = pieces.size() == layout.dataParts() && Arrays.stream(starts).allMatch(start -> start == 0)
                && IntStream.range(0, pieces.size()).allMatch(i -> pieces.get(i).part() == i);
        long bytes = oneOfEach ? pieces.stream().mapToLong(piece -> piece.bytes().byteSize()).min().getAsLong() : 0;
        if (bytes == 0) {
            return 0;
        }
        code.encode(pieces.stream().map(piece -> piece.bytes().asSlice(0, bytes)).toArray(MemorySegment[]::new),
                Arrays.stream(parity).map(cell -> cell.asSlice(0, bytes)).toArray(MemorySegment[]::new));
        return bytes;
    }

    private void add(long cell, long position, long count, MemorySegment parity, boolean whole) {
        // A damaged part gets its parity, too: it may still be repaired.
        int placed = directory.replicaMap().holderOfPart(cell);
        if (placed == BlockDirectory.LOST) {
            return;
        }
        int holder = peers.currentRank(placed);
        pieces.add(holder, position, count, nextSlot);
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

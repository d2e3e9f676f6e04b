package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;
import org.restorej.redset.internal.scheme.RowPlan;

/**
 * Computes redundancy anew and compares it with what is stored. Without missing members that is all of the redundancy.
 * With missing ones it is the redundancy that rebuilding them doesn't use up. Writes nothing.
 */
public final class RedundancyCheck {
    private static final long PIECE_BYTES = 1 << 20;

    private RedundancyCheck() {}

    /**
     * Whether stored redundancy and data agree. If not, a data file or a redundancy file has changed; only checksums
     * can say which one.
     *
     * @param missing ranks that are not read; can be rebuilt
     */
    public static boolean agrees(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations, BitSet missing, int threads) throws IOException {
        if (set.scheme() instanceof Scheme.Coded) {
            return disagreeingRows(operations, kernel, set, locations, missing, threads).isEmpty();
        }
        try (MemberReaders readers = new MemberReaders(operations, set, locations)) {
            return copiesAgree(set, missing, readers);
        }
    }

    /**
     * The rows of a coded set in which stored redundancy and data disagree. The rank of that number stores the first
     * checksum of a row.
     *
     * @param missing as {@link #agrees} takes it
     */
    public static BitSet disagreeingRows(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations, BitSet missing, int threads) throws IOException {
        Scheme.Coded scheme = (Scheme.Coded) set.scheme();
        BitSet computedRanks = SpareRedundancy.computedRanks(set, missing);
        BitSet disagreeing = new BitSet();
        if (computedRanks.equals(missing)) {
            return disagreeing;
        }
        GaloisMatrix parity = RowPlan.parity(scheme, set.ranks());
        CodedLayout layout = CodedLayout.of(scheme, set.ranks());
        ParallelRows.run(set.ranks(), threads, rows -> {
            try (MemberReaders readers = new MemberReaders(operations, set, locations);
                    RowCoder coder = new RowCoder(kernel, set, layout, readers);
                    Arena arena = NativeMemory.openConfined()) {
                MemorySegment stored = arena.allocate(coder.pieceBytes());
                for (int row = rows.next(); row >= 0; row = rows.next()) {
                    RowPlan plan = RowPlan.rebuild(scheme, set.ranks(), parity, row, computedRanks);
                    if (!rowAgrees(set, plan, layout, missing, readers, coder, stored)) {
                        synchronized (disagreeing) {
                            disagreeing.set(row);
                        }
                    }
                }
            }
        });
        return disagreeing;
    }

    /** Reads all of the row also when it doesn't agree: a file that can't be read is an error. */
    private static boolean rowAgrees(SetDescription set, RowPlan plan, CodedLayout layout, BitSet missing,
            MemberReaders readers, RowCoder coder, MemorySegment stored) throws IOException {
        boolean agrees = true;
        RowCoder.Row row = coder.prepare(plan);
        for (long offset = 0; offset < set.chunkBytes(); offset += coder.pieceBytes()) {
            MemorySegment[] computed = coder.compute(row, offset);
            for (int i = 0; i < computed.length; i++) {
                int rank = plan.targetRanks()[i];
                if (!missing.get(rank)) {
                    MemorySegment piece = stored.asSlice(0, computed[i].byteSize());
                    readers.of(rank).read(MemberExtent.ofCell(set, layout, plan.row(), rank), offset, piece);
                    agrees &= piece.mismatch(computed[i]) < 0;
                }
            }
        }
        return agrees;
    }

    /**
     * Compares the copies of each rank that are there with the first of them, which is the rank's own when it is there.
     */
    private static boolean copiesAgree(SetDescription set, BitSet missing, MemberReaders readers) throws IOException {
        try (Arena arena = NativeMemory.openConfined()) {
            MemorySegment original = arena.allocate(PIECE_BYTES);
            MemorySegment copy = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                long totalBytes = set.member(rank).totalBytes();
                for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
                    long bytes = Math.min(PIECE_BYTES, totalBytes - position);
                    boolean first = true;
                    for (int distance = 0; distance <= set.scheme().neighbours(); distance++) {
                        int holder = (rank + distance) % set.ranks();
                        if (missing.get(holder)) {
                            continue;
                        }
                        MemberExtent extent = distance == 0
                                ? MemberExtent.inFiles(0)
                                : MemberExtent.ofCopy(set, holder, distance);
                        MemorySegment read = (first ? original : copy).asSlice(0, bytes);
                        readers.of(holder).read(extent, position, read);
                        if (!first && original.asSlice(0, bytes).mismatch(read) >= 0) {
                            return false;
                        }
                        first = false;
                    }
                }
            }
        }
        return true;
    }
}

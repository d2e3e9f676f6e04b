package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;
import org.restorej.redset.internal.scheme.RowPlan;

/** Writes the redundancy of a set from one process, for tests of what reads it. Not for several threads. */
public final class SetEncoder {
    private static final long PIECE_BYTES = 1 << 20;

    private final FileOperations operations;
    private final ErasureKernel kernel;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final List<MemberEncoding> encodings = new ArrayList<>();

    private SetEncoder(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations) {
        this.operations = operations;
        this.kernel = kernel;
        this.set = set;
        this.locations = List.copyOf(locations);
    }

    /**
     * Encodes a set.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param set members and their files, whose sizes must be right
     * @param locations where the files of each member are, by rank
     */
    public static void encode(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations) throws IOException {
        new SetEncoder(operations, kernel, set, locations).encode();
    }

    private void encode() throws IOException {
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank = 0; rank < set.ranks(); rank++) {
                encodings.add(new MemberEncoding(transaction, set, rank,
                        KvTreeBlock.encode(set.header(rank).toTree()), locations.get(rank)));
            }
            Map<Integer, RankChecksums> checksums = new HashMap<>();
            try (MemberReaders readers = new MemberReaders(operations, set, locations)) {
                writePayload(readers);
                for (int rank = 0; rank < set.ranks(); rank++) {
                    checksums.put(rank, encodings.get(rank).finish(readers.of(rank).fileChecksums()));
                }
            }
            for (int rank = 0; rank < set.ranks(); rank++) {
                SmallFiles.write(transaction, set, rank, locations.get(rank), checksums);
            }
            transaction.publish();
        }
    }

    private void writePayload(MemberReaders readers) throws IOException {
        if (set.scheme() instanceof Scheme.Coded coded) {
            writeChecksumRows(coded, readers);
        } else {
            writeCopies(readers);
        }
    }

    private void writeChecksumRows(Scheme.Coded scheme, MemberReaders readers) throws IOException {
        int ranks = set.ranks();
        CodedLayout layout = CodedLayout.of(scheme, ranks);
        GaloisMatrix parity = RowPlan.parity(scheme, ranks);
        try (RowCoder coder = new RowCoder(kernel, set, layout, readers)) {
            for (int row = 0; row < ranks; row++) {
                RowPlan plan = RowPlan.encode(scheme, ranks, parity, row);
                RowCoder.Row prepared = coder.prepare(plan);
                for (long offset = 0; offset < set.chunkBytes(); offset += coder.pieceBytes()) {
                    MemorySegment[] computed = coder.compute(prepared, offset);
                    for (int i = 0; i < computed.length; i++) {
                        int rank = plan.targetRanks()[i];
                        encodings.get(rank).write(MemberExtent.ofCell(set, layout, row, rank), offset, computed[i]);
                    }
                }
            }
        }
    }

    /** Also for SINGLE, which stores nothing: the files are read for their checksums. */
    private void writeCopies(MemberReaders readers) throws IOException {
        try (Arena arena = NativeMemory.openConfined()) {
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                long totalBytes = set.member(rank).totalBytes();
                for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
                    MemorySegment bytes = piece.asSlice(0, Math.min(PIECE_BYTES, totalBytes - position));
                    readers.readFiles(rank, position, bytes);
                    for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                        int holder = (rank + distance) % set.ranks();
                        encodings.get(holder).write(MemberExtent.ofCopy(set, holder, distance), position, bytes);
                    }
                }
            }
        }
    }
}

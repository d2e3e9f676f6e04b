package org.restorej.redset.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.erasure.GaloisMatrix;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.scheme.CodedScheme;
import org.restorej.redset.scheme.RowPlan;

/** Recomputes the redundancy of a set whose members are all there, and compares it with what is stored. Writes nothing. */
public final class RedundancyCheck {
    private static final long PIECE_BYTES = 1 << 20;

    private RedundancyCheck() {}

    /**
     * Whether all redundancy is what the data files give. When it isn't, a data file or a redundancy file has changed;
     * which one can't be told without checksums.
     */
    public static boolean agrees(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations, int threads) throws IOException {
        if (set.scheme() instanceof CodedScheme coded) {
            return rowsAgree(operations, kernel, set, coded, locations, threads);
        }
        try (MemberReaders readers = new MemberReaders(operations, set, locations)) {
            return copiesAgree(set, readers);
        }
    }

    private static boolean rowsAgree(FileOperations operations, ErasureKernel kernel, SetDescription set,
            CodedScheme scheme,
            List<MemberLocation> locations, int threads) throws IOException {
        GaloisMatrix parity = scheme.parity(set.ranks());
        long chunkBytes = set.chunkBytes();
        AtomicBoolean agrees = new AtomicBoolean(true);
        ParallelRows.run(set.ranks(), threads, rows -> {
            try (MemberReaders readers = new MemberReaders(operations, set, locations);
                    RowCoder coder = new RowCoder(kernel, set.ranks(), chunkBytes);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment stored = arena.allocate(Math.min(chunkBytes, PIECE_BYTES));
                for (int row = rows.next(); row >= 0; row = rows.next()) {
                    coder.code(RowPlan.encode(scheme, set.ranks(), parity, row), chunkBytes, readers.cells(),
                            (at, rank, offset, computed) -> {
                                MemorySegment part = stored.asSlice(0, computed.byteSize());
                                readers.cells().read(at, rank, offset, part);
                                if (part.mismatch(computed) >= 0) {
                                    agrees.set(false);
                                }
                            }, Progress.NONE);
                }
            }
        });
        return agrees.get();
    }

    private static boolean copiesAgree(SetDescription set, MemberReaders readers) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment original = arena.allocate(PIECE_BYTES);
            MemorySegment copy = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                long totalBytes = set.member(rank).totalBytes();
                for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
                    long bytes = Math.min(PIECE_BYTES, totalBytes - position);
                    readers.readFiles(rank, position, original.asSlice(0, bytes));
                    for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                        int holder = (rank + distance) % set.ranks();
                        readers.of(holder).read(Place.ofCopy(set, holder, distance), position, copy.asSlice(0, bytes));
                        if (original.asSlice(0, bytes).mismatch(copy.asSlice(0, bytes)) >= 0) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    }
}

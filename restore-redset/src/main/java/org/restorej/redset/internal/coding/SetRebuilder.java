package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;
import org.restorej.redset.internal.scheme.RowPlan;

/**
 * Rebuilds all files of missing members: data files with mode and times, redundancy, descriptor and checksum files. Rebuilt files are compared with their checksums, if these are known, before they replace anything. Several
 * threads compute the rows of a coded set.
 */
public final class SetRebuilder {
    private static final long PIECE_BYTES = 1 << 20;

    private final FileOperations operations;
    private final ErasureKernel kernel;
    private final SetFormat format;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final SortedMap<Integer, RankChecksums> checksums;
    private final BitSet missing;
    private final int threads;
    private final Map<Integer, MemberRebuild> targets = new HashMap<>();

    /**
     * A rebuild to do.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param format all members, and how their files are written
     * @param locations where the files of each member are, by rank
     * @param checksums what is known of the right content, by rank; may be empty
     * @param missing ranks to rebuild; the others must be whole
     * @param threads how many work on a coded set
     */
    public SetRebuilder(FileOperations operations, ErasureKernel kernel, SetFormat format,
            List<MemberLocation> locations,
            SortedMap<Integer, RankChecksums> checksums, BitSet missing, int threads) {
        this.format = format;
        this.set = format.set();
        if (!set.scheme().canRebuild(missing, set.ranks())) {
            throw new IllegalArgumentException(
                    set.scheme() + " can't rebuild all of ranks " + missing + " of " + set.ranks());
        }
        this.operations = operations;
        this.kernel = kernel;
        this.locations = List.copyOf(locations);
        this.checksums = checksums;
        this.missing = (BitSet) missing.clone();
        this.threads = threads;
    }

    /** Bytes that {@link #rebuild} tells a progress of. */
    public long workBytes() {
        if (missing.isEmpty()) {
            return 0;
        }
        if (set.scheme() instanceof Scheme.Coded) {
            return set.chunkBytes() * set.ranks() * missing.cardinality();
        }
        return missing.stream().mapToLong(rank -> set.member(rank).totalBytes() + set.header(rank).payloadBytes())
                .sum();
    }

    /**
     * Rebuilds, once.
     *
     * @throws IOException when something can't be read or written, or doesn't have its checksum; nothing has taken its
     *         place then, unless it was the placing itself that failed, which leaves whole files only
     */
    public void rebuild(Progress progress) throws IOException {
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank : missing.stream().toArray()) {
                targets.put(rank, new MemberRebuild(transaction, format, rank, locations.get(rank), checksums));
            }
            if (!missing.isEmpty()) {
                try (var _ = new AccessTimes(operations, survivingFiles())) {
                    rebuildContent(progress);
                }
            }
            for (int rank : missing.stream().toArray()) {
                target(rank).finish();
            }
            transaction.publish();
        }
    }

    private List<Path> survivingFiles() {
        return IntStream.range(0, set.ranks()).filter(rank -> !missing.get(rank))
                .mapToObj(rank -> locations.get(rank).files()).flatMap(List::stream).toList();
    }

    private MemberRebuild target(int rank) {
        MemberRebuild target = targets.get(rank);
        if (target == null) {
            throw new IllegalStateException("rank " + rank + " is not missing");
        }
        return target;
    }

    private void rebuildContent(Progress progress) throws IOException {
        if (set.scheme() instanceof Scheme.Coded coded) {
            rebuildRows(coded, progress);
        } else if (set.scheme() instanceof Scheme.Partner partner) {
            rebuildCopies(partner, progress);
        }
    }

    private void rebuildRows(Scheme.Coded scheme, Progress progress) throws IOException {
        GaloisMatrix parity = RowPlan.parity(scheme, set.ranks());
        CodedLayout layout = CodedLayout.of(scheme, set.ranks());
        ParallelRows.run(set.ranks(), threads, rows -> {
            try (MemberReaders readers = new MemberReaders(operations, set, locations);
                    RowCoder coder = new RowCoder(kernel, set, layout, readers)) {
                for (int row = rows.next(); row >= 0; row = rows.next()) {
                    rebuildRow(RowPlan.rebuild(scheme, set.ranks(), parity, row, missing), layout, coder, progress);
                }
            }
        });
    }

    private void rebuildRow(RowPlan plan, CodedLayout layout, RowCoder coder, Progress progress) throws IOException {
        RowCoder.Row row = coder.prepare(plan);
        for (long offset = 0; offset < set.chunkBytes(); offset += coder.pieceBytes()) {
            MemorySegment[] computed = coder.compute(row, offset);
            for (int i = 0; i < computed.length; i++) {
                int rank = plan.targetRanks()[i];
                target(rank).write(MemberExtent.ofCell(set, layout, plan.row(), rank), offset, computed[i]);
                progress.advanced(computed[i].byteSize());
            }
        }
    }

    private void rebuildCopies(Scheme.Partner partner, Progress progress) throws IOException {
        try (MemberReaders readers = new MemberReaders(operations, set, locations);
                Arena arena = NativeMemory.openConfined()) {
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                rebuildCopiesOf(partner, rank, readers, piece, progress);
            }
        }
    }

    /**
     * Brings the files of a rank to wherever they are missing: its own place, and the payload of missing neighbours.
     */
    private void rebuildCopiesOf(Scheme.Partner partner, int rank, MemberReaders readers, MemorySegment piece,
            Progress progress) throws IOException {
        long totalBytes = set.member(rank).totalBytes();
        int holder = missing.get(rank) ? partner.holderOf(rank, missing, set.ranks()) : rank;
        for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
            MemorySegment bytes = piece.asSlice(0, Math.min(PIECE_BYTES, totalBytes - position));
            if (holder == rank) {
                readers.readFiles(rank, position, bytes);
            } else {
                int distance = Math.floorMod(holder - rank, set.ranks());
                readers.of(holder).read(MemberExtent.ofCopy(set, holder, distance), position, bytes);
                target(rank).write(MemberExtent.inFiles(0), position, bytes);
                progress.advanced(bytes.byteSize());
            }
            for (int distance = 1; distance <= partner.replicas(); distance++) {
                int neighbour = (rank + distance) % set.ranks();
                if (missing.get(neighbour)) {
                    target(neighbour).write(MemberExtent.ofCopy(set, neighbour, distance), position, bytes);
                    progress.advanced(bytes.byteSize());
                }
            }
        }
    }
}

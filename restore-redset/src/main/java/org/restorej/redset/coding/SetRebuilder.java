package org.restorej.redset.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.erasure.GaloisMatrix;
import org.restorej.redset.files.FileChecksums;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.files.FileTransaction;
import org.restorej.redset.files.LogicalFileWriter;
import org.restorej.redset.files.PendingFile;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.scheme.CodedLayout;
import org.restorej.redset.scheme.CodedScheme;
import org.restorej.redset.scheme.RowPlan;
import org.restorej.redset.scheme.Scheme;

/**
 * Rebuilds everything that missing members had: data files with mode, owner and times, redundancy, descriptor and
 * checksum files. What is rebuilt is compared with the checksums recorded, where there are any, before it takes its
 * place. Rows of a coded set are computed by several threads.
 */
public final class SetRebuilder {
    private static final long PIECE_BYTES = 1 << 20;

    private final FileOperations operations;
    private final ErasureKernel kernel;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final SortedMap<Integer, RankChecksums> checksums;
    private final BitSet missing;
    private final int threads;
    private final Map<Integer, Target> targets = new HashMap<>();

    /** What is written for a missing member. */
    private record Target(int headerBytes, int headerCrc, PendingFile redundancy, List<PendingFile> files,
            LogicalFileWriter data) {}

    /**
     * A rebuild to do.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param set all members
     * @param locations where the files of each member are, by rank
     * @param checksums what is known of the right content, by rank; may be empty
     * @param missing ranks to rebuild; the others must be whole
     * @param threads how many work on a coded set
     */
    public SetRebuilder(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations,
            SortedMap<Integer, RankChecksums> checksums, BitSet missing, int threads) {
        if (!set.scheme().canRebuild(missing, set.ranks())) {
            throw new IllegalArgumentException(
                    set.scheme() + " can't rebuild all of ranks " + missing + " of " + set.ranks());
        }
        this.operations = operations;
        this.kernel = kernel;
        this.set = set;
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
        if (set.scheme() instanceof CodedScheme) {
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
            // The redundancy file comes last: until it is in its place, its rank counts as missing.
            Map<Integer, List<PendingFile>> files = new HashMap<>();
            for (int rank : missing.stream().toArray()) {
                List<PendingFile> ofRank = new ArrayList<>();
                for (Path path : locations.get(rank).files()) {
                    ofRank.add(transaction.create(path));
                }
                files.put(rank, ofRank);
                writeSmallFiles(transaction, rank);
            }
            for (int rank : missing.stream().toArray()) {
                byte[] header = KvTreeBlock.encode(set.header(rank).toTree());
                PendingFile redundancy = transaction.create(locations.get(rank).redundancy());
                redundancy.write(0, header);
                List<PendingFile> ofRank = files.getOrDefault(rank, List.of());
                targets.put(rank, new Target(header.length, KvTreeBlock.crcOf(header), redundancy, ofRank,
                        new LogicalFileWriter(ofRank, set.member(rank).files())));
            }
            if (!missing.isEmpty()) {
                rebuildContent(progress);
            }
            for (int rank : missing.stream().toArray()) {
                finish(rank, target(rank));
            }
            transaction.publish();
        }
    }

    private Target target(int rank) {
        Target target = targets.get(rank);
        if (target == null) {
            throw new IllegalStateException("rank " + rank + " is not missing");
        }
        return target;
    }

    private void writeSmallFiles(FileTransaction transaction, int rank) throws IOException {
        if (checksums.keySet().containsAll(set.selfAndLeftNeighbours(rank))) {
            writeBlock(transaction.create(locations.get(rank).checksums()),
                    KvTreeBlock.encode(ChecksumFiles.of(set, rank, this::checksumsOf).toTree()));
        }
        writeBlock(transaction.create(locations.get(rank).descriptor()),
                KvTreeBlock.encode(set.descriptorFile(rank).toTree()));
    }

    private RankChecksums checksumsOf(int rank) {
        RankChecksums known = checksums.get(rank);
        if (known == null) {
            throw new IllegalStateException("no checksums of rank " + rank);
        }
        return known;
    }

    private static void writeBlock(PendingFile file, byte[] block) throws IOException {
        file.write(0, block);
        file.finish(block.length, null);
    }

    private void rebuildContent(Progress progress) throws IOException {
        if (set.scheme() instanceof CodedScheme coded) {
            rebuildRows(coded, progress);
        } else if (set.scheme() instanceof Scheme.Partner partner) {
            rebuildCopies(partner, progress);
        }
    }

    private void rebuildRows(CodedScheme scheme, Progress progress) throws IOException {
        GaloisMatrix parity = scheme.parity(set.ranks());
        CodedLayout layout = scheme.layout(set.ranks());
        long chunkBytes = set.chunkBytes();
        ParallelRows.run(set.ranks(), threads, rows -> {
            try (MemberReaders readers = new MemberReaders(operations, set, locations);
                    RowCoder coder = new RowCoder(kernel, set.ranks(), chunkBytes)) {
                for (int row = rows.next(); row >= 0; row = rows.next()) {
                    RowPlan plan = RowPlan.rebuild(scheme, set.ranks(), parity, row, missing);
                    coder.code(plan, chunkBytes, readers::readCell,
                            (at, rank, offset, bytes) -> writeCell(layout, at, rank, offset, bytes), progress);
                }
            }
        });
    }

    private void writeCell(CodedLayout layout, int row, int rank, long offset, MemorySegment bytes) throws IOException {
        Target target = target(rank);
        int checksum = layout.checksumAt(row, rank);
        if (checksum >= 0) {
            target.redundancy().write(target.headerBytes() + checksum * set.chunkBytes() + offset, bytes);
        } else {
            target.data().write(layout.chunkAt(row, rank) * set.chunkBytes() + offset, bytes);
        }
    }

    private void rebuildCopies(Scheme.Partner partner, Progress progress) throws IOException {
        try (MemberReaders readers = new MemberReaders(operations, set, locations); Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                rebuildCopiesOf(partner, rank, readers, piece, progress);
            }
        }
    }

    /** Brings the files of a rank to wherever they are missing: its own place, and the payload of missing neighbours. */
    private void rebuildCopiesOf(Scheme.Partner partner, int rank, MemberReaders readers, MemorySegment piece,
            Progress progress) throws IOException {
        long totalBytes = set.member(rank).totalBytes();
        int holder = missing.get(rank) ? partner.holderOf(rank, missing, set.ranks()) : rank;
        for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
            MemorySegment bytes = piece.asSlice(0, Math.min(PIECE_BYTES, totalBytes - position));
            if (holder == rank) {
                readers.readData(rank, position, bytes);
            } else {
                int distance = Math.floorMod(holder - rank, set.ranks());
                readers.readPayload(holder, CopyLayout.start(set, holder, distance) + position, bytes);
                target(rank).data().write(position, bytes);
                progress.advanced(bytes.byteSize());
            }
            for (int distance = 1; distance <= partner.replicas(); distance++) {
                int neighbour = (rank + distance) % set.ranks();
                if (missing.get(neighbour)) {
                    long start = CopyLayout.start(set, neighbour, distance);
                    target(neighbour).redundancy().write(target(neighbour).headerBytes() + start + position, bytes);
                    progress.advanced(bytes.byteSize());
                }
            }
        }
    }

    private void finish(int rank, Target target) throws IOException {
        target.redundancy().finish(target.headerBytes() + set.header(rank).payloadBytes(), null);
        target.data().finish();
        RankChecksums expected = checksums.get(rank);
        if (expected != null) {
            compare(rank, target, expected);
        }
    }

    private void compare(int rank, Target target, RankChecksums expected) throws IOException {
        List<FileRecord> records = set.member(rank).files();
        for (int i = 0; i < records.size(); i++) {
            int actual = FileChecksums.ofPart(target.files().get(i).channel(), 0, records.get(i).sizeBytes());
            require(actual == expected.files().get(i), rank, "file " + records.get(i).name());
        }
        long position = target.headerBytes();
        List<Long> parts = PayloadParts.sizes(set, rank);
        for (int part = 0; part < parts.size(); part++) {
            int actual = FileChecksums.ofPart(target.redundancy().channel(), position, parts.get(part));
            require(actual == expected.payload().get(part), rank, "redundancy " + part);
            position += parts.get(part);
        }
        require(target.headerCrc() == expected.headerCrc(), rank, "header");
    }

    private static void require(boolean equal, int rank, String what) throws IOException {
        if (!equal) {
            throw new IOException("rank " + rank + " was rebuilt with wrong content of its " + what
                    + ", by its checksum: something that it was rebuilt from is damaged; nothing was replaced");
        }
    }
}

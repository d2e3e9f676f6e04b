package org.restorej.redset.coding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.erasure.GaloisMatrix;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.files.FileTransaction;
import org.restorej.redset.files.LogicalFileReader;
import org.restorej.redset.files.PendingFile;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.scheme.CodedLayout;
import org.restorej.redset.scheme.CodedScheme;
import org.restorej.redset.scheme.RowPlan;

/**
 * Writes the redundancy of a set from one process that reaches all files: redset's bytes, and our checksums. Each data
 * byte is read once, each redundancy byte written once. Not for several threads.
 */
public final class SetEncoder {
    private static final long PIECE_BYTES = 1 << 20;

    private final FileOperations operations;
    private final ErasureKernel kernel;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final List<LogicalFileReader> readers = new ArrayList<>();
    private final List<PendingFile> redundancy = new ArrayList<>();
    private final List<byte[]> headers = new ArrayList<>();
    private final CRC32C[][] payloadChecksums;

    private SetEncoder(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations) {
        this.operations = operations;
        this.kernel = kernel;
        this.set = set;
        this.locations = List.copyOf(locations);
        int parts = set.scheme().neighbours();
        this.payloadChecksums = new CRC32C[set.ranks()][parts];
        for (CRC32C[] ofRank : payloadChecksums) {
            for (int part = 0; part < parts; part++) {
                ofRank[part] = new CRC32C();
            }
        }
    }

    /**
     * Encodes a set.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param set members and their files, whose sizes must be right
     * @param locations where the files of each member are, by rank
     * @param progress is told of redundancy bytes
     */
    public static void encode(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations, Progress progress) throws IOException {
        new SetEncoder(operations, kernel, set, locations).encode(progress);
    }

    private void encode(Progress progress) throws IOException {
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank = 0; rank < set.ranks(); rank++) {
                long[] sizes = set.member(rank).files().stream().mapToLong(FileRecord::sizeBytes).toArray();
                readers.add(new LogicalFileReader(operations, locations.get(rank).files(), sizes));
                byte[] header = KvTreeBlock.encode(set.header(rank).toTree());
                headers.add(header);
                PendingFile file = transaction.create(locations.get(rank).redundancy());
                file.write(0, header);
                redundancy.add(file);
            }
            try {
                writePayload(progress);
            } finally {
                for (LogicalFileReader reader : readers) {
                    reader.close();
                }
            }
            for (int rank = 0; rank < set.ranks(); rank++) {
                redundancy.get(rank).finish(headers.get(rank).length + set.header(rank).payloadBytes(), null);
            }
            writeSmallFiles(transaction);
            transaction.publish();
        }
    }

    private void writePayload(Progress progress) throws IOException {
        if (set.scheme() instanceof CodedScheme coded) {
            writeChecksumRows(coded, progress);
        } else {
            writeCopies(progress);
        }
    }

    private void writeChecksumRows(CodedScheme scheme, Progress progress) throws IOException {
        int ranks = set.ranks();
        long chunkBytes = set.chunkBytes();
        CodedLayout layout = scheme.layout(ranks);
        GaloisMatrix parity = scheme.parity(ranks);
        try (RowCoder coder = new RowCoder(kernel, ranks, chunkBytes)) {
            for (int row = 0; row < ranks; row++) {
                coder.code(RowPlan.encode(scheme, ranks, parity, row), chunkBytes,
                        (at, rank, offset, target) -> readers.get(rank)
                                .read(layout.chunkAt(at, rank) * chunkBytes + offset, target),
                        (at, rank, offset, bytes) -> {
                            int checksum = layout.checksumAt(at, rank);
                            writePart(rank, checksum, checksum * chunkBytes + offset, bytes);
                        }, progress);
            }
        }
    }

    /** Also for SINGLE, which stores nothing: the files are read for their checksums. */
    private void writeCopies(Progress progress) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            for (int rank = 0; rank < set.ranks(); rank++) {
                long totalBytes = set.member(rank).totalBytes();
                for (long position = 0; position < totalBytes; position += PIECE_BYTES) {
                    MemorySegment bytes = piece.asSlice(0, Math.min(PIECE_BYTES, totalBytes - position));
                    readers.get(rank).read(position, bytes);
                    for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                        int holder = (rank + distance) % set.ranks();
                        long start = CopyLayout.start(set, holder, distance);
                        writePart(holder, distance - 1, start + position, bytes);
                        progress.advanced(bytes.byteSize());
                    }
                }
            }
        }
    }

    private void writePart(int rank, int part, long positionInPayload, MemorySegment bytes) throws IOException {
        redundancy.get(rank).write(headers.get(rank).length + positionInPayload, bytes);
        payloadChecksums[rank][part].update(bytes.asByteBuffer());
    }

    private void writeSmallFiles(FileTransaction transaction) throws IOException {
        List<RankChecksums> checksums = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            checksums.add(checksums(rank));
        }
        for (int rank = 0; rank < set.ranks(); rank++) {
            writeBlock(transaction.create(locations.get(rank).descriptor()),
                    KvTreeBlock.encode(set.descriptorFile(rank).toTree()));
            writeBlock(transaction.create(locations.get(rank).checksums()),
                    KvTreeBlock.encode(ChecksumFiles.of(set, rank, checksums::get).toTree()));
        }
    }

    private static void writeBlock(PendingFile file, byte[] block) throws IOException {
        file.write(0, block);
        file.finish(block.length, null);
    }

    private RankChecksums checksums(int rank) throws IOException {
        List<Integer> ofFiles = new ArrayList<>();
        for (int file = 0; file < set.member(rank).files().size(); file++) {
            OptionalInt checksum = readers.get(rank).checksum(file);
            if (checksum.isEmpty()) {
                throw new IllegalStateException("file " + file + " of rank " + rank + " was not read in sequence");
            }
            ofFiles.add(checksum.getAsInt());
        }
        List<Integer> ofPayload = new ArrayList<>();
        for (CRC32C part : payloadChecksums[rank]) {
            ofPayload.add((int) part.getValue());
        }
        return new RankChecksums(KvTreeBlock.crcOf(headers.get(rank)), ofFiles, ofPayload);
    }
}

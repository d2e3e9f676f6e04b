package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/** All files of a missing member while they are rebuilt. The transaction owns them. */
public final class MemberRebuild {
    private final FileTransaction transaction;
    private final SetFormat format;
    private final SetDescription set;
    private final int rank;
    private final List<PendingFile> files = new ArrayList<>();
    private final MemberBytes bytes;
    private final RedundancyFile redundancy;
    private final @Nullable RankChecksums expected;

    /**
     * Starts all files.
     *
     * @param transaction the transaction of the files
     * @param checksums known checksums of the right content, by rank; may be empty
     */
    public MemberRebuild(FileTransaction transaction, SetFormat format, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        this.transaction = transaction;
        this.format = format;
        this.set = format.set();
        this.rank = rank;
        expected = checksums.get(rank);
        // The redundancy file is last: its rank counts as missing until this file has its name.
        for (int i = 0; i < location.files().size(); i++) {
            // No other user can read a file before it has its recorded permissions.
            boolean restores = set.member(rank).files().get(i).metadata() != null;
            files.add(transaction.create(FilePaths.throughLinks(location.files().get(i)),
                    restores ? FileOperations.PRIVATE : FileOperations.READABLE));
        }
        SmallFiles.write(transaction, set, rank, location, checksums);
        redundancy = new RedundancyFile(transaction, set, rank, format.header(rank), location);
        bytes = MemberBytes.rebuilt(transaction.operations(), set.member(rank), location, files, redundancy);
    }

    /** The bytes to write to the files. */
    public MemberBytes bytes() {
        return bytes;
    }

    /**
     * Compares everything with recorded checksums, and with existing files. Keeps data files that have the rebuilt
     * content, with their modes and times. Writes the others to the disk under temporary names.
     *
     * @throws IOException if a file can't be written, has another checksum, or contradicts an existing file that may be
     *         intact
     */
    public void finish() throws IOException {
        if (expected != null) {
            compare(expected);
        }
        compareCrcs();
        redundancy.finish();
        PresentFiles present = new PresentFiles(transaction, rank);
        List<OptionalInt> crcs = format.crcs(rank);
        for (int i = 0; i < files.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            // A recorded CRC is that of the rebuilt file, so an existing file that differs is wrong.
            boolean isCondemned = !format.keepsWhatMayBeGood() || crcs.get(i).isPresent();
            if (!present.keep(files.get(i), 0, record.sizeBytes(), bytes.fileChecksum(i).orElseThrow(), isCondemned)) {
                files.get(i).finish(record.sizeBytes(), record.metadata());
            }
        }
        if (format.keepsWhatMayBeGood()) {
            // Redundancy that was computed from data with the right CRCs is right.
            boolean proven = IntStream.range(0, set.ranks()).allMatch(format::recordsCrcs);
            redundancy.yieldTo(present, bytes.payloadChecksum(0, set.chunkBytes()).orElseThrow(), proven);
        }
    }

    /**
     * Keeps existing data files with the names of these. The member's own files were never there, so existing ones may
     * belong to other members. Called after {@link #finish}.
     *
     * @throws IOException if one has another content
     */
    public void keepFilesOfOthers() throws IOException {
        PresentFiles present = new PresentFiles(transaction, rank);
        for (int i = 0; i < files.size(); i++) {
            long sizeBytes = set.member(rank).files().get(i).sizeBytes();
            Path path = files.get(i).target();
            if (Files.exists(path) && Files.size(path) != sizeBytes) {
                throw new IOException(path + " is there, and may be of another rank than the one that is rebuilt, "
                        + set.member(rank).descriptor().worldRank() + ": move it away; nothing was replaced");
            }
            present.keep(files.get(i), 0, sizeBytes, bytes.fileChecksum(i).orElseThrow(), false);
        }
    }

    private void compareCrcs() throws IOException {
        List<OptionalInt> crcs = format.crcs(rank);
        for (int i = 0; i < crcs.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            require(crcs.get(i).isEmpty() || files.get(i).crc(record.sizeBytes()) == crcs.get(i).getAsInt(),
                    "file " + record.shownName());
        }
    }

    private void compare(RankChecksums right) throws IOException {
        RankChecksums rebuilt = redundancy.checksums(bytes);
        for (int i = 0; i < files.size(); i++) {
            require(rebuilt.files().get(i).equals(right.files().get(i)),
                    "file " + set.member(rank).files().get(i).shownName());
        }
        for (int section = 0; section < rebuilt.payload().size(); section++) {
            require(rebuilt.payload().get(section).equals(right.payload().get(section)), "redundancy " + section);
        }
        require(rebuilt.headerCrc() == right.headerCrc(), "header");
    }

    private void require(boolean equal, String what) throws IOException {
        if (!equal) {
            throw new WrongRebuildException("rank " + rank + " was rebuilt with wrong content of its " + what
                    + ", by its checksum: something that it was rebuilt from is damaged; nothing was replaced");
        }
    }

    /**
     * A rebuilt file doesn't have its recorded checksum: a file that it was rebuilt from is damaged, and it is unknown
     * which one. The member can't be rebuilt.
     */
    public static final class WrongRebuildException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongRebuildException(String message) {
            super(message);
        }
    }

    /**
     * Existing files of a missing member with the right sizes. Files that equal the rebuilt ones are kept. One that
     * differs is a contradiction: it may be right, and the files from which its member was rebuilt may be damaged.
     *
     * @param transaction that would replace them
     * @param rank of the member
     */
    record PresentFiles(FileTransaction transaction, int rank) {
        /**
         * Compares a redundancy file, unless its header is damaged.
         *
         * @param header its expected header
         * @param payloadBytes expected length of the payload
         * @param checksum CRC-32C of the rebuilt payload
         * @param proven whether the rebuilt file is known to be right
         * @throws IOException if the existing file may be intact, or can't be read
         */
        void keepRedundancy(PendingFile rebuilt, KvTree header, long payloadBytes, int checksum, boolean proven)
                throws IOException {
            long start;
            try {
                KvTreeBlock block = transaction.operations().readHeader(rebuilt.target());
                if (!block.tree().equals(header)) {
                    throw new FileAlreadyExistsException(
                            rebuilt.target() + " is there and sound, but of another set than "
                                    + "what was rebuilt of rank " + rank + ": move it away; nothing was replaced");
                }
                start = block.sizeBytes();
            } catch (FormatException | NoSuchFileException damagedOrAbsent) {
                return;
            }
            keep(rebuilt, start, start + payloadBytes, checksum, proven);
        }

        /**
         * Compares bytes of a file.
         *
         * @param end size of an existing file that may be intact
         * @param checksum CRC-32C of the rebuilt bytes
         * @param isCondemned whether a file that differs is known to be wrong
         * @return whether the existing file equals the rebuilt one, and is kept
         * @throws IOException if the existing file differs and is not known to be wrong
         */
        boolean keep(PendingFile rebuilt, long start, long end, int checksum, boolean isCondemned) throws IOException {
            Path path = rebuilt.target();
            if (!Files.isRegularFile(path) || Files.size(path) != end) {
                return false;
            }
            try {
                if (checksumOf(path, start, end) == checksum) {
                    transaction.drop(rebuilt);
                    return true;
                }
            } catch (IOException unreadable) {
                if (!isCondemned) {
                    throw unreadable;
                }
            }
            if (!isCondemned) {
                throw new IOException(path + " is there with its right size, but differs from what was rebuilt of rank "
                        + rank
                        + ", and no checksum says which is right: move it away if it is to be replaced; nothing was"
                        + " replaced");
            }
            return false;
        }

        private int checksumOf(Path path, long start, long end) throws IOException {
            try (var _ = new AccessTimes(transaction.operations(), List.of(path));
                    FileChannel channel = transaction.operations().openForReading(path)) {
                return FileChecksums.of(channel, start, end - start);
            }
        }
    }
}

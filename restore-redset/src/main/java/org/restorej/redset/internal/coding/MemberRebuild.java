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

/**
 * All files of a missing member, while they are rebuilt. The transaction owns them.
 */
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
     * Begins all files.
     *
     * @param transaction that they are part of
     * @param checksums what is known of the right content, by rank; may be empty
     */
    public MemberRebuild(FileTransaction transaction, SetFormat format, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        this.transaction = transaction;
        this.format = format;
        this.set = format.set();
        this.rank = rank;
        expected = checksums.get(rank);
        // The redundancy file comes last: until it is in its place, its rank counts as missing.
        for (int i = 0; i < location.files().size(); i++) {
            // Nobody else reads a file before it has the permissions that are recorded.
            boolean restores = set.member(rank).files().get(i).metadata() != null;
            files.add(transaction.create(FilePaths.throughLinks(location.files().get(i)),
                    restores ? FileOperations.PRIVATE : FileOperations.READABLE));
        }
        SmallFiles.write(transaction, set, rank, location, checksums);
        redundancy = new RedundancyFile(transaction, set, rank, format.header(rank), location);
        bytes = MemberBytes.rebuilt(transaction.operations(), set.member(rank), location, files, redundancy);
    }

    /** What is written to the files. */
    public MemberBytes bytes() {
        return bytes;
    }

    /**
     * Compares everything with the checksums recorded, and with what is there and may be good. Brings it to the disk,
     * still under other names.
     *
     * @throws IOException when something can't be written, or doesn't have its checksum, or contradicts what may be
     *         good
     */
    public void finish() throws IOException {
        if (expected != null) {
            compare(expected);
        }
        compareCrcs();
        redundancy.finish();
        for (int i = 0; i < files.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            files.get(i).finish(record.sizeBytes(), record.metadata());
        }
        if (format.keepsWhatMayBeGood()) {
            keepWhatIsThere();
        }
    }

    /**
     * Keeps data files that are in the places of these: the member's own have never been there, so they may be of other
     * members. Called after {@link #finish}.
     *
     * @throws IOException when one has another content
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

    private void keepWhatIsThere() throws IOException {
        PresentFiles present = new PresentFiles(transaction, rank);
        List<OptionalInt> crcs = format.crcs(rank);
        for (int i = 0; i < files.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            // A CRC that is recorded is that of what was rebuilt, so it condemns what differs.
            present.keep(files.get(i), 0, record.sizeBytes(), bytes.fileChecksum(i).orElseThrow(),
                    crcs.get(i).isPresent());
        }
        // Redundancy that was computed from data with the right CRCs is right.
        boolean proven = IntStream.range(0, set.ranks()).allMatch(format::recordsCrcs);
        redundancy.yieldTo(present, bytes.payloadChecksum(0, set.chunkBytes()).orElseThrow(), proven);
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
     * What was rebuilt doesn't have the checksum recorded: something that it was rebuilt from is damaged, and nobody
     * knows what. So the member can't be had again.
     */
    public static final class WrongRebuildException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongRebuildException(String message) {
            super(message);
        }
    }

    /**
     * Files of a missing member that are there all the same, with the right sizes. Those that are what was rebuilt
     * stay. One that differs is no loss but a contradiction: it may be right, and what its member was rebuilt from
     * damaged.
     *
     * @param transaction would replace them
     * @param rank of the member
     */
    record PresentFiles(FileTransaction transaction, int rank) {
        /**
         * Compares a redundancy file, unless its header is damaged.
         *
         * @param header what it must begin with
         * @param payloadBytes what must follow
         * @param checksum CRC-32C of the payload that was rebuilt
         * @param proven whether what was rebuilt is known to be right
         * @throws IOException when the file that is there may be good, or can't be read
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
         * @param end the size of the file that is there, if it may be good
         * @param checksum CRC-32C of what was rebuilt
         * @param isCondemned whether a file that differs is known to be wrong
         * @throws IOException when the file that is there differs, and can't be told to be the wrong one
         */
        void keep(PendingFile rebuilt, long start, long end, int checksum, boolean isCondemned) throws IOException {
            Path path = rebuilt.target();
            if (!Files.isRegularFile(path) || Files.size(path) != end) {
                return;
            }
            if (checksumOf(path, start, end) == checksum) {
                transaction.drop(rebuilt);
            } else if (!isCondemned) {
                throw new IOException(path + " is there with its right size, but differs from what was rebuilt of rank "
                        + rank
                        + ", and no checksum says which is right: move it away if it is to be replaced; nothing was"
                        + " replaced");
            }
        }

        private int checksumOf(Path path, long start, long end) throws IOException {
            try (var _ = new AccessTimes(transaction.operations(), List.of(path));
                    FileChannel channel = transaction.operations().openForReading(path)) {
                return FileChecksums.of(channel, start, end - start);
            }
        }
    }
}

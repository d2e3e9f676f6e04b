package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.PendingFile.PendingFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The files beside a redundancy file: the descriptor file, and ReStore-J's own file of checksums. Like the header, the
 * latter has those of the member and of its left neighbours.
 */
public final class SmallFiles {
    private SmallFiles() {}

    /**
     * Writes both files under temporary names; neither if their format has none. The file of checksums is written only
     * if all of its checksums are known.
     *
     * @param pending the files that they belong to
     * @param checksums known checksums by rank
     */
    public static void write(PendingFiles pending, SetDescription set, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        if (location.small().isEmpty()) {
            return;
        }
        write(pending.create(location.descriptor()), set.descriptorFile(rank).toTree());
        Optional<ChecksumFile> file = checksumFile(set, rank, checksums);
        if (file.isPresent()) {
            write(pending.create(location.checksums(), set.permissions()), file.get().toTree());
        }
    }

    private static void write(PendingFile file, KvTree tree) throws IOException {
        byte[] block = KvTreeBlock.encode(tree);
        file.write(0, block);
        file.finish(block.length, null);
    }

    /** The file of checksums of a rank; empty if a checksum of it is unknown. */
    private static Optional<ChecksumFile> checksumFile(SetDescription set, int rank,
            Map<Integer, RankChecksums> checksums) {
        SortedMap<Integer, RankChecksums> byRank = new TreeMap<>(checksums);
        byRank.keySet().retainAll(set.selfAndLeftNeighbours(rank));
        return byRank.size() == 1 + set.scheme().neighbours()
                ? Optional.of(new ChecksumFile(rank, byRank))
                : Optional.empty();
    }

    /**
     * The files that are missing or whose content differs from that of {@link #write}, as text.
     *
     * @param checksums known checksums by rank
     */
    public static List<String> losses(FileOperations operations, SetDescription set, int rank,
            MemberLocation location, Map<Integer, RankChecksums> checksums) {
        List<String> losses = new ArrayList<>();
        if (location.small().isPresent()) {
            // Trees are compared without the code that the JVM would generate for records in a first recovery.
            check("descriptor file", operations, location.descriptor(), losses,
                    bytes -> DescriptorFile.decode(bytes).toTree().equals(set.descriptorFile(rank).toTree()));
            Optional<ChecksumFile> file = checksumFile(set, rank, checksums);
            if (file.isPresent()) {
                check("file of checksums", operations, location.checksums(), losses,
                        bytes -> Arrays.equals(bytes, KvTreeBlock.encode(file.get().toTree())));
            }
        }
        return losses;
    }

    /** A condition on the bytes of a file. */
    @FunctionalInterface
    private interface Rule {
        boolean holds(byte[] bytes) throws IOException;
    }

    private static void check(String name, FileOperations operations, Path path, List<String> losses, Rule rule) {
        try {
            if (!rule.holds(operations.readBlock(path))) {
                losses.add(name + " is of another encoding");
            }
        } catch (IOException absentOrUnreadable) {
            losses.add(name + (Files.exists(path) ? " is damaged: " + absentOrUnreadable.getMessage() : " is absent"));
        }
    }

    /**
     * The checksums in a file of checksums, if it is of the same encoding as the header beside it. Compares the values
     * in headers, not their bytes, since redset adds keys to headers that it rebuilds.
     *
     * @param header the header of the same rank
     * @return by rank in the set; empty if the file is of another encoding
     */
    public static Map<Integer, RankChecksums> matching(ChecksumFile file, RedundancyHeader header) {
        RankChecksums own = file.byRank().get(file.rank());
        int crc = KvTreeBlock.crcOf(KvTreeBlock.encode(header.toTree()));
        if (file.rank() != header.rank() || own == null || own.headerCrc() != crc) {
            return Map.of();
        }
        Map<Integer, RankChecksums> matching = new TreeMap<>();
        file.byRank().forEach((rank, known) -> {
            RankRecord record = header.byRank().get(rank);
            if (record != null && known.files().size() == record.files().size()
                    && known.payload().size() == record.descriptor().scheme().neighbours()) {
                matching.put(rank, known);
            }
        });
        return matching;
    }
}

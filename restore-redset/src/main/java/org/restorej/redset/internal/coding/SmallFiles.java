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
 * What is beside a redundancy file: the descriptor file and our file of checksums, which holds, like the header, those
 * of the member and of its left neighbours.
 */
public final class SmallFiles {
    private SmallFiles() {}

    /**
     * Writes both files, under other names; neither where their format has none. The file of checksums is written only
     * when all of its checksums are known.
     *
     * @param pending takes them
     * @param checksums what is known, by rank
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

    /** The file of checksums of a rank; empty when not all are known of the ranks that it tells of. */
    private static Optional<ChecksumFile> checksumFile(SetDescription set, int rank,
            Map<Integer, RankChecksums> checksums) {
        SortedMap<Integer, RankChecksums> byRank = new TreeMap<>(checksums);
        byRank.keySet().retainAll(set.selfAndLeftNeighbours(rank));
        return byRank.size() == 1 + set.scheme().neighbours()
                ? Optional.of(new ChecksumFile(rank, byRank))
                : Optional.empty();
    }

    /**
     * Which of the files a member lacks, or has with another content than {@link #write} would give it; in words.
     *
     * @param checksums what is known, by rank
     */
    public static List<String> losses(FileOperations operations, SetDescription set, int rank,
            MemberLocation location, Map<Integer, RankChecksums> checksums) {
        List<String> losses = new ArrayList<>();
        if (location.small().isPresent()) {
            // Trees compare without the code that the JVM would generate for records in a first recovery.
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

    /** What the bytes of a file must be. */
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
     * What a file of checksums says, if it is of the same encoding as the header beside it. Compares what headers say
     * and not their bytes, since redset adds keys to headers that it rebuilds.
     *
     * @param header the header of the same rank
     * @return by rank in the set; empty when the file is of another encoding
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

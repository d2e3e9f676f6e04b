package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.PendingFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
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
     * Writes both files, under other names. The file of checksums is written only when all of its checksums are known.
     *
     * @param pending takes them
     * @param checksums what is known, by rank
     */
    public static void write(PendingFiles pending, SetDescription set, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        write(pending.create(location.descriptor()), set.descriptorFile(rank).toTree());
        if (checksums.keySet().containsAll(set.selfAndLeftNeighbours(rank))) {
            write(pending.create(location.checksums()),
                    checksumFile(set, rank, member -> known(checksums, member)).toTree());
        }
    }

    private static RankChecksums known(Map<Integer, RankChecksums> checksums, int rank) {
        RankChecksums known = checksums.get(rank);
        if (known == null) {
            throw new IllegalStateException("no checksums of rank " + rank);
        }
        return known;
    }

    private static void write(PendingFile file, KvTree tree) throws IOException {
        byte[] block = KvTreeBlock.encode(tree);
        file.write(0, block);
        file.finish(block.length, null);
    }

    /**
     * The file of a rank.
     *
     * @param set the set
     * @param rank whose file
     * @param checksums of every rank that the file tells of
     */
    public static ChecksumFile checksumFile(SetDescription set, int rank, IntFunction<RankChecksums> checksums) {
        SortedMap<Integer, RankChecksums> byRank = new TreeMap<>();
        for (int member : set.selfAndLeftNeighbours(rank)) {
            byRank.put(member, checksums.apply(member));
        }
        return new ChecksumFile(rank, byRank);
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

    /** Computes the checksums of a member anew, from contents that are known to be right: reads everything of it. */
    public static RankChecksums checksumsOf(FileOperations operations, SetDescription set, int rank,
            MemberLocation location)
            throws IOException {
        List<Integer> files = new ArrayList<>();
        try (var _ = new AccessTimes(operations, location.files())) {
            for (Path path : location.files()) {
                try (FileChannel channel = operations.openForReading(path)) {
                    files.add(FileChecksums.of(channel, 0, channel.size()));
                }
            }
        }
        RedundancyHeader header = set.header(rank);
        List<Integer> payload = new ArrayList<>();
        try (FileChannel channel = operations.openForReading(location.redundancy())) {
            long position = KvTreeBlock.read(channel, channel.size()).sizeBytes();
            for (long bytes : header.payloadSections()) {
                payload.add(FileChecksums.of(channel, position, bytes));
                position += bytes;
            }
        }
        return new RankChecksums(KvTreeBlock.crcOf(KvTreeBlock.encode(header.toTree())), files, payload);
    }
}

package org.restorej.redset.internal.coding;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/** What each member's file of checksums holds: like its header, itself and its left neighbours. */
public final class ChecksumFiles {
    private ChecksumFiles() {}

    /**
     * The file of a rank.
     *
     * @param set the set
     * @param rank whose file
     * @param checksums of every rank that the file tells of
     */
    public static ChecksumFile of(SetDescription set, int rank, IntFunction<RankChecksums> checksums) {
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
}

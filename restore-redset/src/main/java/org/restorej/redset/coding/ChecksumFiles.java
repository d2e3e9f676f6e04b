package org.restorej.redset.coding;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.restorej.redset.format.ChecksumFile;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.SetDescription;

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
}

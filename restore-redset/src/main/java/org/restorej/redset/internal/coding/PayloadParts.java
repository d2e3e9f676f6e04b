package org.restorej.redset.internal.coding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The payload of a redundancy file as parts that have a checksum each: the chunks of checksums, or the copies of left
 * neighbours 1, 2, ... one after the other.
 */
public final class PayloadParts {
    private PayloadParts() {}

    /** Sizes of the parts, in order. */
    public static List<Long> sizes(SetDescription set, int rank) {
        if (set.scheme() instanceof Scheme.Coded coded) {
            return Collections.nCopies(coded.checksums(), set.chunkBytes());
        }
        List<Long> sizes = new ArrayList<>();
        for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
            sizes.add(set.member(Math.floorMod(rank - distance, set.ranks())).totalBytes());
        }
        return sizes;
    }

    /** Sizes of the parts that must follow a header, in order. */
    public static List<Long> sizes(RedundancyHeader header) {
        Scheme scheme = header.own().descriptor().scheme();
        if (scheme instanceof Scheme.Coded coded) {
            return Collections.nCopies(coded.checksums(), header.chunkBytes());
        }
        List<Long> sizes = new ArrayList<>();
        for (int distance = 1; distance <= scheme.neighbours(); distance++) {
            RankRecord left = header.byRank()
                    .get(Math.floorMod(header.rank() - distance, header.own().descriptor().ranks()));
            sizes.add(left == null ? 0 : left.totalBytes());
        }
        return sizes;
    }

    /** Where a part begins in the payload. */
    static long start(SetDescription set, int rank, int part) {
        if (set.scheme() instanceof Scheme.Coded) {
            return part * set.chunkBytes();
        }
        return sizes(set, rank).subList(0, part).stream().mapToLong(Long::longValue).sum();
    }
}

package org.restorej.redset.coding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.scheme.CodedScheme;

/** The payload of a redundancy file as parts that have a checksum each. */
public final class PayloadParts {
    private PayloadParts() {}

    /** Sizes of the parts, in order: chunks of checksums, or copies of left neighbours. */
    public static List<Long> sizes(SetDescription set, int rank) {
        if (set.scheme() instanceof CodedScheme coded) {
            return Collections.nCopies(coded.checksums(), set.chunkBytes());
        }
        List<Long> sizes = new ArrayList<>();
        for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
            sizes.add(set.member(Math.floorMod(rank - distance, set.ranks())).totalBytes());
        }
        return sizes;
    }
}

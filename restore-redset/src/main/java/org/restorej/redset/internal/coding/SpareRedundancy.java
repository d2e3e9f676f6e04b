package org.restorej.redset.internal.coding;

import java.util.BitSet;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The redundancy that rebuilding missing members doesn't use up. Where no checksums tell whether contents are right, it
 * is compared with what it says of the members that are there. When it disagrees, nothing tells who is wrong, and
 * nothing may be rebuilt.
 */
public final class SpareRedundancy {
    /** What there is to say of a set when it disagrees. */
    public static final String DISAGREES = "redundancy and data disagree, and without checksums it can't be told which is wrong";

    private SpareRedundancy() {}

    /**
     * The missing ranks, and those whose bytes the redundancy left over tells of, too. In a coded set as many others as
     * could be missing: the remaining ranks determine the content of all of these. With PARTNER all that have copies of
     * the same files.
     *
     * @param missing can be rebuilt
     */
    public static BitSet computedRanks(SetDescription set, BitSet missing) {
        BitSet computed = (BitSet) missing.clone();
        if (set.scheme() instanceof Scheme.Coded coded) {
            while (computed.cardinality() < Math.min(coded.checksums(), set.ranks())) {
                computed.set(computed.nextClearBit(0));
            }
        } else if (set.scheme() instanceof Scheme.Partner) {
            computed.set(0, set.ranks());
        }
        return computed;
    }
}

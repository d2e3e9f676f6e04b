package org.restorej.redset.coding;

import org.restorej.redset.format.SetDescription;

/** Where copies are in the payload of PARTNER: those of left neighbours 1, 2, ... one after the other. */
final class CopyLayout {
    private CopyLayout() {}

    /** Where the copy of the left neighbour at a distance begins in the payload of a holder. */
    static long start(SetDescription set, int holder, int distance) {
        long start = 0;
        for (int nearer = 1; nearer < distance; nearer++) {
            start += set.member(Math.floorMod(holder - nearer, set.ranks())).totalBytes();
        }
        return start;
    }
}

package org.restorej.internal.plan;

import java.util.function.IntUnaryOperator;

/**
 * Who takes part, as plans name them.
 *
 * @param storeRank of this PE, or -1 when it has none
 * @param rank current rank of this PE
 * @param size number of PEs alive
 * @param currentRankOf gives the current rank of a store rank that is alive
 */
public record Peers(int storeRank, int rank, int size, IntUnaryOperator currentRankOf) {
    int currentRank(int otherStoreRank) {
        return currentRankOf.applyAsInt(otherStoreRank);
    }
}

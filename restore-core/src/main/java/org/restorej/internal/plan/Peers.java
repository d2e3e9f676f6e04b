package org.restorej.internal.plan;

import java.util.function.IntUnaryOperator;

/**
 * The PEs that take part, as plans identify them.
 *
 * @param storeRank of this PE, or -1 if it has none
 * @param size number of surviving PEs
 * @param currentRankOf maps a store rank that has not failed to its current rank
 */
public record Peers(int storeRank, int size, IntUnaryOperator currentRankOf) {
    int currentRank(int otherStoreRank) {
        return currentRankOf.applyAsInt(otherStoreRank);
    }
}

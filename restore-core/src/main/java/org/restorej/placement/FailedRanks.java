package org.restorej.placement;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The set of failed store ranks: all that a PE must remember to know where every block is. Immutable; memory linear in
 * the number of failures, {@link #contains} in constant time.
 */
public final class FailedRanks {
    /** Everybody is alive. */
    public static final FailedRanks NONE = new FailedRanks(IntSortedSets.EMPTY_SET);

    private final IntSortedSet ascending;
    private final IntOpenHashSet members;

    private FailedRanks(IntSortedSet ascending) {
        this.ascending = IntSortedSets.unmodifiable(ascending);
        members = new IntOpenHashSet(ascending);
    }

    /** The set of these store ranks. */
    public static FailedRanks of(int... storeRanks) {
        return ofInts(new IntAVLTreeSet(storeRanks));
    }

    private static FailedRanks ofInts(IntSortedSet ranks) {
        if (!ranks.isEmpty() && ranks.firstInt() < 0) {
            throw new IllegalArgumentException("a store rank must be at least 0: " + ranks.firstInt());
        }
        return ranks.isEmpty() ? NONE : new FailedRanks(ranks);
    }

    public boolean contains(int storeRank) {
        return members.contains(storeRank);
    }

    public boolean contains(StoreRank storeRank) {
        return contains(storeRank.value());
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** Number of failed ranks. */
    public int size() {
        return members.size();
    }

    /** The failed ranks, ascending, for loops; unmodifiable. */
    public IntSortedSet values() {
        return ascending;
    }

    /** The failed ranks, ascending. */
    public SortedSet<StoreRank> ranks() {
        SortedSet<StoreRank> ranks = new TreeSet<>();
        ascending.forEach((int rank) -> ranks.add(StoreRank.of(rank)));
        return ranks;
    }

    /** Ranks of this set or the other. */
    public FailedRanks union(FailedRanks other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        IntAVLTreeSet ranks = new IntAVLTreeSet(ascending);
        ranks.addAll(other.ascending);
        return ofInts(ranks);
    }

    /** Ranks of this set that are not in the other. */
    public FailedRanks minus(FailedRanks other) {
        IntAVLTreeSet ranks = new IntAVLTreeSet(ascending);
        ranks.removeAll(other.ascending);
        return ofInts(ranks);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FailedRanks that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return ascending.toString();
    }
}

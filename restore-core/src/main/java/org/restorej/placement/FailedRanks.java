package org.restorej.placement;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The set of failed store ranks, from which a PE computes where every block is. Immutable; memory linear in the number
 * of failures, {@link #contains} in constant time.
 */
public final class FailedRanks {
    /** The empty set. */
    public static final FailedRanks NONE = new FailedRanks(new int[0]);

    private final int[] ascending;
    private final IntOpenHashSet members;

    private FailedRanks(int[] ascending) {
        this.ascending = ascending;
        members = new IntOpenHashSet(ascending);
    }

    /** The set of these store ranks. */
    public static FailedRanks of(int... storeRanks) {
        return of(Arrays.stream(storeRanks));
    }

    private static FailedRanks of(IntStream storeRanks) {
        int[] ranks = storeRanks.sorted().distinct().toArray();
        if (ranks.length > 0 && ranks[0] < 0) {
            throw new IllegalArgumentException("a store rank must be at least 0: " + ranks[0]);
        }
        return ranks.length == 0 ? NONE : new FailedRanks(ranks);
    }

    public boolean contains(int storeRank) {
        return members.contains(storeRank);
    }

    public boolean contains(StoreRank storeRank) {
        return contains(storeRank.value());
    }

    public boolean isEmpty() {
        return ascending.length == 0;
    }

    /** Number of failed ranks. */
    public int size() {
        return ascending.length;
    }

    /** The failed ranks, ascending, for loops; a copy. */
    public int[] values() {
        return ascending.clone();
    }

    /** The failed ranks, ascending. */
    public SortedSet<StoreRank> ranks() {
        SortedSet<StoreRank> ranks = new TreeSet<>();
        for (int rank : ascending) {
            ranks.add(StoreRank.of(rank));
        }
        return ranks;
    }

    /** The ranks of this set and of the other. */
    public FailedRanks union(FailedRanks other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        return of(IntStream.concat(Arrays.stream(ascending), Arrays.stream(other.ascending)));
    }

    /** The ranks of this set that are not in the other. */
    public FailedRanks minus(FailedRanks other) {
        return of(Arrays.stream(ascending).filter(rank -> !other.contains(rank)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FailedRanks that && Arrays.equals(ascending, that.ascending);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ascending);
    }

    /** In braces: {@code {0, 2}}. */
    @Override
    public String toString() {
        return members.isEmpty() ? "{}" : Arrays.toString(ascending).replace('[', '{').replace(']', '}');
    }
}

package org.restorej.internal.placement;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import it.unimi.dsi.fastutil.longs.LongSet;
import org.restorej.placement.FailedRanks;

/**
 * The replicas of chunks whose bytes don't match their checksum, as all PEs have agreed. Usually empty; memory is
 * linear in their number. Immutable.
 */
public final class DamagedReplicas {
    public static final DamagedReplicas NONE = new DamagedReplicas(new Long2ObjectRBTreeMap<>());

    /** In place of a rank: no sound replica of this chunk is left. */
    private static final int EVERYBODY = -1;

    /** Store ranks by first position of the chunk. */
    private final Long2ObjectSortedMap<IntSortedSet> ranksOf;

    private DamagedReplicas(Long2ObjectSortedMap<IntSortedSet> ranksOf) {
        this.ranksOf = ranksOf;
    }

    public boolean isEmpty() {
        return ranksOf.isEmpty();
    }

    /** Number of damaged replicas; a chunk without any sound replica counts once. */
    public int count() {
        return ranksOf.values().stream().mapToInt(IntSortedSet::size).sum();
    }

    /** Whether a store rank's replica of a chunk is damaged. */
    public boolean contains(long chunkFirst, int storeRank) {
        IntSortedSet ranks = ranksOf.get(chunkFirst);
        return ranks != null && (ranks.contains(storeRank) || ranks.contains(EVERYBODY));
    }

    @FunctionalInterface
    public interface ReplicaConsumer {
        /** Takes a damaged replica; the rank is -1 if no sound replica of the chunk is left. */
        void accept(long chunkFirst, int storeRank);
    }

    /** Passes all damaged replicas, by ascending chunks and ranks. */
    public void forEach(ReplicaConsumer consumer) {
        ranksOf.forEach((chunkFirst, ranks) -> ranks.forEach((int rank) -> consumer.accept(chunkFirst, rank)));
    }

    public DamagedReplicas and(DamagedReplicas others) {
        Builder all = new Builder(this);
        others.forEach(all::add);
        return all.build();
    }

    /** Collects damaged replicas. Not thread-safe. */
    public static final class Builder {
        private final Long2ObjectSortedMap<IntSortedSet> ranksOf = new Long2ObjectRBTreeMap<>();

        public Builder(DamagedReplicas known) {
            known.ranksOf.forEach((chunkFirst, ranks) -> ranksOf.put(chunkFirst, new IntAVLTreeSet(ranks)));
        }

        /** Adds a damaged replica; no effect if the chunk has no sound one anyway. */
        public Builder add(long chunkFirst, int storeRank) {
            IntSortedSet ranks = ranksOf.computeIfAbsent(chunkFirst, chunk -> new IntAVLTreeSet());
            if (!ranks.contains(EVERYBODY)) {
                ranks.add(storeRank);
            }
            return this;
        }

        /** The damaged replicas; the builder must not be used afterwards. */
        public DamagedReplicas build() {
            return ranksOf.isEmpty() ? NONE : new DamagedReplicas(ranksOf);
        }
    }

    /** Chunks of which no sound replica is left. */
    static DamagedReplicas everywhere(LongSet chunkFirsts) {
        Builder lost = new Builder(NONE);
        chunkFirsts.forEach((long chunkFirst) -> lost.add(chunkFirst, EVERYBODY));
        return lost.build();
    }

    /** The damaged replicas without those of PEs that have lost all their replicas. */
    public DamagedReplicas without(FailedRanks lost) {
        Builder left = new Builder(NONE);
        forEach((chunkFirst, rank) -> {
            if (!lost.contains(rank)) {
                left.add(chunkFirst, rank);
            }
        });
        return left.build();
    }

    @Override
    public String toString() {
        return ranksOf.toString();
    }
}

package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.OptionalInt;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.RankMap;
import org.restorej.placement.FailedRanks;

/**
 * Maps PEs to store ranks of one store.
 *
 * <p>
 * The PEs of the communicator on which the store was built are its members, numbered by their ranks there. At
 * first member m has store rank m; those from P on are spares without a store rank. When the PE of a store rank
 * fails, the first remaining spare takes its rank; without one, the rank has failed permanently. Every PE computes the
 * same map from the members that are present. Memory is linear in the number of failures. Immutable.
 */
public final class StoreRanks {
    /** In place of a store rank: none. */
    public static final int NO_RANK = -1;

    private final RankMap atBuild;
    private final int peCount;
    private final IntSortedSet failedMembers;
    /** The members that have taken the store ranks of failed PEs. */
    private final Int2IntOpenHashMap memberOf;

    private StoreRanks(RankMap atBuild, int peCount, IntSortedSet failedMembers, Int2IntOpenHashMap memberOf) {
        this.atBuild = atBuild;
        this.peCount = peCount;
        this.failedMembers = failedMembers;
        this.memberOf = memberOf;
    }

    /** The ranks of a newly built store. */
    static StoreRanks of(Communicator communicator, int spares) {
        return new StoreRanks(communicator.ranks(), communicator.size() - spares, new IntAVLTreeSet(),
                new Int2IntOpenHashMap());
    }

    int peCount() {
        return peCount;
    }

    /** Current rank of the PE that has a store rank; undefined for a failed rank. */
    int currentRankOf(int storeRank, Communicator communicator) {
        return communicator.ranks()
                .currentRankOf(atBuild.originalRankOf(memberOf.getOrDefault(storeRank, storeRank)));
    }

    /** Store rank of a PE of a communicator, or {@link #NO_RANK}. */
    int storeRankAt(int currentRank, Communicator communicator) {
        return storeRankOf(memberAt(currentRank, communicator));
    }

    private int storeRankOf(int member) {
        if (member < peCount) {
            return member;
        }
        for (Int2IntMap.Entry place : memberOf.int2IntEntrySet()) {
            if (place.getIntValue() == member) {
                return place.getIntKey();
            }
        }
        return NO_RANK;
    }

    private int memberAt(int currentRank, Communicator communicator) {
        return atBuild.currentRankOf(communicator.ranks().originalRankOf(currentRank));
    }

    /** Store rank of a PE of the program; empty if it has none. */
    public OptionalInt rankOf(OriginalRank pe) {
        int member = atBuild.currentRankOf(pe.value());
        int rank = member < 0 || failedMembers.contains(member) ? NO_RANK : storeRankOf(member);
        return rank == NO_RANK ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** The PE that has a store rank; undefined for a failed rank. */
    public OriginalRank processOf(int rank) {
        return OriginalRank.of(atBuild.originalRankOf(memberOf.getOrDefault(rank, rank)));
    }

    /** Store ranks without a PE. */
    FailedRanks failedRanks() {
        IntAVLTreeSet failed = new IntAVLTreeSet();
        failedMembers.forEach((int member) -> {
            if (member < peCount && !memberOf.containsKey(member)) {
                failed.add(member);
            }
        });
        return FailedRanks.of(failed.toIntArray());
    }

    /** Store ranks whose PE has failed between these ranks and later ones, so that their memory is lost. */
    FailedRanks lostUntil(StoreRanks later) {
        IntAVLTreeSet lost = new IntAVLTreeSet();
        later.failedMembers.forEach((int member) -> {
            if (!failedMembers.contains(member)) {
                int rank = storeRankOf(member);
                if (rank != NO_RANK) {
                    lost.add(rank);
                }
            }
        });
        return FailedRanks.of(lost.toIntArray());
    }

    /**
     * The ranks after a recovery.
     *
     * @throws IllegalArgumentException when the communicator has PEs that have not built the store or that have
     *         failed
     */
    StoreRanks among(Communicator survivors) {
        boolean[] present = new boolean[atBuild.size()];
        IntAVLTreeSet unknown = new IntAVLTreeSet();
        IntAVLTreeSet returned = new IntAVLTreeSet();
        for (int current = 0; current < survivors.size(); current++) {
            int member = memberAt(current, survivors);
            if (member < 0) {
                unknown.add(survivors.ranks().originalRankOf(current));
            } else {
                present[member] = true;
                if (failedMembers.contains(member)) {
                    returned.add(survivors.ranks().originalRankOf(current));
                }
            }
        }
        refuse("survivors must be PEs that built the store: it never knew original ranks ", unknown);
        refuse("survivors must not contain PEs that have left before: original ranks ", returned);
        IntAVLTreeSet failed = new IntAVLTreeSet();
        for (int member = 0; member < present.length; member++) {
            if (!present[member]) {
                failed.add(member);
            }
        }
        return new StoreRanks(atBuild, peCount, failed, substitutes(failed));
    }

    private static void refuse(String rule, IntAVLTreeSet originalRanks) {
        if (!originalRanks.isEmpty()) {
            throw new IllegalArgumentException(rule + originalRanks);
        }
    }

    private Int2IntOpenHashMap substitutes(IntSortedSet failed) {
        Int2IntOpenHashMap places = new Int2IntOpenHashMap();
        IntAVLTreeSet idle = new IntAVLTreeSet();
        for (int spare = peCount; spare < atBuild.size(); spare++) {
            if (!failed.contains(spare)) {
                idle.add(spare);
            }
        }
        // A spare that has taken a rank keeps it.
        memberOf.int2IntEntrySet().forEach(place -> {
            if (idle.remove(place.getIntValue())) {
                places.put(place.getIntKey(), place.getIntValue());
            }
        });
        IntIterator next = idle.iterator();
        failed.forEach((int member) -> {
            if (member < peCount && !places.containsKey(member) && next.hasNext()) {
                places.put(member, next.nextInt());
            }
        });
        return places;
    }
}

package org.restorej.redset.internal.offline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which files of one prefix count. A new encoding replaces the descriptor file of each of its ranks. It may leave
 * behind redundancy files of earlier encodings, and all files of ranks that it doesn't have. So a file that
 * contradicts a descriptor file is older, or was never complete. The remaining files must be of one encoding. If they
 * are not, none is chosen: to rebuild from the wrong one would replace new data by old.
 *
 * @param live files of the encoding that counts; empty when that can't be told
 * @param stale files of other encodings
 */
record LiveEncoding(List<PlaceClaim> live, List<PlaceClaim> stale) {
    /**
     * Finds the encoding that counts.
     *
     * @param claims all files of the prefix
     * @param named names of files that are of the encoding that counts, whatever descriptor files say; may be empty
     */
    static LiveEncoding of(Collection<PlaceClaim> claims, Set<String> named) {
        List<PlaceClaim> left = new ArrayList<>(claims);
        KnownPlaces given = new KnownPlaces();
        for (PlaceClaim claim : claims) {
            if (named.contains(claim.fileName()) && !given.add(claim)) {
                return new LiveEncoding(List.of(), List.of());
            }
        }
        left.removeIf(claim -> !given.agreesWith(claim));
        removeOfOtherSizes(left);
        KnownPlaces described = new KnownPlaces();
        for (PlaceClaim claim : left) {
            if (claim.isDescriptor() && !described.add(claim)) {
                return new LiveEncoding(List.of(), List.of());
            }
        }
        left.removeIf(claim -> !described.agreesWith(claim));
        KnownPlaces all = new KnownPlaces();
        if (!left.stream().allMatch(all::add)) {
            return new LiveEncoding(List.of(), List.of());
        }
        List<PlaceClaim> stale = new ArrayList<>(claims);
        stale.removeIf(new HashSet<>(left)::contains);
        return new LiveEncoding(left, stale);
    }

    /** Removes files of encodings one of whose ranks has a descriptor file of another number of ranks. */
    private static void removeOfOtherSizes(List<PlaceClaim> claims) {
        Set<Integer> sizes = claims.stream().map(claim -> claim.own().worldRanks()).collect(Collectors.toSet());
        Map<Integer, Integer> leastOther = new HashMap<>();
        for (int size : sizes) {
            claims.stream().filter(claim -> claim.isDescriptor() && claim.own().worldRanks() != size)
                    .mapToInt(claim -> claim.own().worldRank()).min().ifPresent(rank -> leastOther.put(size, rank));
        }
        claims.removeIf(claim -> {
            int size = claim.own().worldRanks();
            return leastOther.getOrDefault(size, size) < size;
        });
    }

    /** Whether files of several encodings may count. */
    boolean isUndecided() {
        return live.isEmpty();
    }
}

package org.restorej.redset.internal.offline;

import java.util.HashMap;
import java.util.Map;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RedsetFileNames;

/** The places of ranks in one encoding, collected from files that don't contradict one another. One thread. */
final class KnownPlaces {
    private final Map<Integer, Descriptor> byWorldRank = new HashMap<>();
    /** A set, by its id, with no member in particular. */
    private final Map<Integer, Descriptor> sets = new HashMap<>();
    private final Map<SetRank, Integer> worldRanks = new HashMap<>();

    /** A member of a set, whichever world rank it is. */
    private record SetRank(int group, int rank) {}

    boolean isEmpty() {
        return byWorldRank.isEmpty();
    }

    /** Whether a file doesn't contradict what is known. */
    boolean agreesWith(PlaceClaim claim) {
        return claim.places().stream().allMatch(this::agreesWith);
    }

    /** Whether a rank can have this place. */
    boolean agreesWith(Descriptor place) {
        if (isEmpty()) {
            return true;
        }
        Descriptor any = sets.values().iterator().next();
        Descriptor sameSet = sets.get(place.group());
        Descriptor sameRank = byWorldRank.get(place.worldRank());
        Integer sameSetRank = worldRanks.get(new SetRank(place.group(), place.rank()));
        return any.worldRanks() == place.worldRanks() && any.groups() == place.groups()
                && (sameSet == null || sameSet.isSameSet(place)) && (sameRank == null || sameRank.equals(place))
                && (sameSetRank == null || sameSetRank == place.worldRank());
    }

    /** Whether a redundancy file of this name can be of the encoding. */
    boolean mayHave(RedsetFileNames.Redundancy name) {
        if (isEmpty()) {
            return true;
        }
        Descriptor any = sets.values().iterator().next();
        Descriptor sameSet = sets.get(name.group());
        Descriptor sameRank = byWorldRank.get(name.worldRank());
        return name.worldRank() < any.worldRanks() && name.groups() == any.groups()
                && (sameSet == null
                        || (sameSet.ranks() == name.ranks() && sameSet.scheme().typeName().equals(name.typeName())))
                && (sameRank == null || (sameRank.group() == name.group() && sameRank.rank() == name.rank()));
    }

    /**
     * Learns what a file says.
     *
     * @return false, and nothing is learned, when it contradicts what is known
     */
    boolean add(PlaceClaim claim) {
        if (!agreesWith(claim)) {
            return false;
        }
        for (Descriptor place : claim.places()) {
            byWorldRank.put(place.worldRank(), place);
            sets.put(place.group(), place.ofMember(0, 0));
            worldRanks.put(new SetRank(place.group(), place.rank()), place.worldRank());
        }
        return true;
    }
}

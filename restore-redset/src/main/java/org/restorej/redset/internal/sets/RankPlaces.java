package org.restorej.redset.internal.sets;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;

/**
 * The redundancy set and the member rank of each rank. Computed without messages; the result is the same on every rank.
 *
 * @param places by world rank
 */
public record RankPlaces(List<Descriptor> places) {
    /** Copies the list. */
    public RankPlaces {
        places = List.copyOf(places);
    }

    /**
     * Reconstructs the places from the remaining descriptor files. Files contradict one another if processes failed
     * while files were replaced. The place in most files counts; in a tie, the one in the rank's own file.
     *
     * @param files descriptor file of every rank, empty if it is missing
     * @throws IrrecoverableFilesException if the place of a rank is in no file, or the places don't form sets
     */
    public static RankPlaces of(List<Optional<DescriptorFile>> files) {
        List<List<Descriptor>> named = new ArrayList<>();
        files.forEach(file -> named.add(new ArrayList<>()));
        for (int rank = 0; rank < files.size(); rank++) {
            if (files.get(rank).isPresent()) {
                add(rank, files.get(rank).get(), named);
            }
        }
        SortedSet<Integer> unknown = new TreeSet<>();
        List<Descriptor> places = new ArrayList<>();
        for (int rank = 0; rank < named.size(); rank++) {
            Descriptor place = maxNamed(named.get(rank));
            if (place == null) {
                unknown.add(rank);
            } else {
                places.add(place);
            }
        }
        if (!unknown.isEmpty()) {
            throw unknown(files, unknown, places);
        }
        checkSets(places);
        return new RankPlaces(places);
    }

    /**
     * Whether an encoding of this number of ranks may be current. A new encoding replaces the descriptor file of each
     * of its ranks. It may leave those of other ranks of an earlier encoding.
     *
     * @param described by number of ranks: the ranks whose descriptor files tell that number
     */
    public static boolean mayCount(int worldRanks, Map<Integer, BitSet> described) {
        return described.entrySet().stream().noneMatch(other -> {
            int first = other.getValue().nextSetBit(0);
            return other.getKey() != worldRanks && first >= 0 && first < worldRanks;
        });
    }

    private static IrrecoverableFilesException unknown(List<Optional<DescriptorFile>> files,
            SortedSet<Integer> unknown, List<Descriptor> known) {
        SortedSet<Integer> lost = new TreeSet<>();
        for (int rank = 0; rank < files.size(); rank++) {
            if (files.get(rank).isEmpty()) {
                lost.add(rank);
            }
        }
        if (known.isEmpty()) {
            return new IrrecoverableFilesException("there are no descriptor files: nothing was protected here", lost);
        }
        SortedSet<String> schemes = new TreeSet<>();
        known.forEach(place -> schemes.add(place.scheme().toString()));
        return new IrrecoverableFilesException("ranks " + lost + " have lost their descriptor files, and none that is "
                + "left tells of ranks " + unknown + ": " + String.join(", ", schemes) + " can't rebuild so many",
                lost);
    }

    private static void add(int rank, DescriptorFile file, List<List<Descriptor>> named) {
        for (Descriptor descriptor : file.byWorldRank().values()) {
            if (descriptor.worldRanks() != named.size()) {
                throw new IrrecoverableFilesException("the descriptor file of rank " + rank + " is of "
                        + descriptor.worldRanks() + " ranks, and here are " + named.size()
                        + ": recover with as many ranks as protected the files, or have one process that reaches "
                        + "them all do it: bin/restore redset rebuild DIR",
                        Collections.emptySortedSet());
            }
            List<Descriptor> ofRank = named.get(descriptor.worldRank());
            // The place in a rank's own file is first.
            ofRank.add(descriptor.worldRank() == rank ? 0 : ofRank.size(), descriptor);
        }
    }

    private static @Nullable Descriptor maxNamed(List<Descriptor> named) {
        Descriptor most = null;
        for (Descriptor descriptor : named) {
            if (most == null || Collections.frequency(named, descriptor) > Collections.frequency(named, most)) {
                most = descriptor;
            }
        }
        return most;
    }

    private static void checkSets(List<Descriptor> places) {
        Map<Descriptor, BitSet> ranksOf = new HashMap<>();
        Map<Descriptor, Integer> membersOf = new HashMap<>();
        for (Descriptor place : places) {
            ranksOf.computeIfAbsent(set(place), absent -> new BitSet()).set(place.rank());
            membersOf.merge(set(place), 1, Integer::sum);
        }
        SortedSet<Integer> outside = new TreeSet<>();
        for (Descriptor place : places) {
            BitSet ranks = ranksOf.getOrDefault(set(place), new BitSet());
            if (membersOf.getOrDefault(set(place), 0) != place.ranks() || ranks.cardinality() != place.ranks()) {
                outside.add(place.worldRank());
            }
        }
        if (!outside.isEmpty()) {
            throw new IrrecoverableFilesException(
                    "the descriptor files are of different encodings: ranks " + outside + " form no whole sets",
                    outside);
        }
    }

    /** The set of a place, as a key. */
    private static Descriptor set(Descriptor place) {
        return place.ofMember(0, 0);
    }

    public Descriptor placeOf(int worldRank) {
        return places.get(worldRank);
    }

    /** World ranks of the set of a rank, in order of rank in the set. */
    public List<Integer> membersOf(int worldRank) {
        Descriptor own = places.get(worldRank);
        Integer[] ranks = new Integer[own.ranks()];
        places.stream().filter(own::isSameSet).forEach(member -> ranks[member.rank()] = member.worldRank());
        return List.of(ranks);
    }
}

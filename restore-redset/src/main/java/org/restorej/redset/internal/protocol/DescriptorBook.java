package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;

/**
 * The places of all ranks, from the descriptor files that are left. Pure; every rank comes to the same.
 *
 * @param places by world rank
 */
record DescriptorBook(List<Descriptor> places) {
    DescriptorBook {
        places = List.copyOf(places);
    }

    /**
     * Finds the place of every rank. Where files contradict one another, since somebody died while they were replaced,
     * the place that most files tell of counts, and the own file of the rank where there are as many of both.
     *
     * @param files descriptor file of every rank, empty where there is none
     * @throws IrrecoverableFilesException when no file tells of a rank, or they don't make sets
     */
    static DescriptorBook of(List<Optional<DescriptorFile>> files) {
        List<List<Descriptor>> told = new ArrayList<>();
        files.forEach(file -> told.add(new ArrayList<>()));
        for (int rank = 0; rank < files.size(); rank++) {
            if (files.get(rank).isPresent()) {
                add(rank, files.get(rank).get(), told);
            }
        }
        SortedSet<Integer> unknown = new TreeSet<>();
        List<Descriptor> places = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            Descriptor place = mostTold(told.get(rank));
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
        return new DescriptorBook(places);
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

    private static void add(int rank, DescriptorFile file, List<List<Descriptor>> told) {
        for (Descriptor descriptor : file.byWorldRank().values()) {
            if (descriptor.worldRanks() != told.size()) {
                throw new IrrecoverableFilesException("the descriptor file of rank " + rank + " is of "
                        + descriptor.worldRanks() + " processes, and here are " + told.size()
                        + ": recover with as many processes as protected the files, or have one process that reaches "
                        + "them all do it: bin/restore redset rebuild DIR",
                        Collections.emptySortedSet());
            }
            List<Descriptor> ofRank = told.get(descriptor.worldRank());
            // What a rank says of itself comes first.
            ofRank.add(descriptor.worldRank() == rank ? 0 : ofRank.size(), descriptor);
        }
    }

    private static @Nullable Descriptor mostTold(List<Descriptor> told) {
        Descriptor most = null;
        for (Descriptor descriptor : told) {
            if (most == null || Collections.frequency(told, descriptor) > Collections.frequency(told, most)) {
                most = descriptor;
            }
        }
        return most;
    }

    private static void checkSets(List<Descriptor> places) {
        SortedSet<Integer> outside = new TreeSet<>();
        for (Descriptor place : places) {
            List<Descriptor> members = places.stream().filter(place::isSameSet).toList();
            long ranks = members.stream().mapToInt(Descriptor::rank).distinct().count();
            if (members.size() != place.ranks() || ranks != place.ranks()) {
                outside.add(place.worldRank());
            }
        }
        if (!outside.isEmpty()) {
            throw new IrrecoverableFilesException(
                    "the descriptor files are of different encodings: ranks " + outside + " form no whole sets",
                    outside);
        }
    }

    /** Members of the set of a rank, as ranks of the communicator, in order of rank in the set. */
    SetMembers membersOf(int worldRank) {
        Descriptor own = places.get(worldRank);
        Integer[] ranks = new Integer[own.ranks()];
        places.stream().filter(own::isSameSet).forEach(member -> ranks[member.rank()] = member.worldRank());
        return new SetMembers(own.rank(), List.of(ranks));
    }
}

package org.restorej.redset.internal.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;

class RankPlacesTest {
    private static final int RANKS = 4;

    /** What a rank has on its disk when one set of all ranks was protected. */
    private static Optional<DescriptorFile> file(Scheme scheme, int rank) {
        SortedMap<Integer, Descriptor> places = new TreeMap<>();
        for (int distance = 0; distance <= scheme.neighbours(); distance++) {
            int member = Math.floorMod(rank - distance, RANKS);
            places.put(member, place(scheme, member));
        }
        return Optional.of(new DescriptorFile(places));
    }

    private static Descriptor place(Scheme scheme, int rank) {
        return new Descriptor(scheme, 0, 1, rank, RANKS, rank, RANKS);
    }

    private static List<Optional<DescriptorFile>> files(Scheme scheme, Integer... lost) {
        List<Optional<DescriptorFile>> files = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            files.add(Set.of(lost).contains(rank) ? Optional.empty() : file(scheme, rank));
        }
        return files;
    }

    @Test
    void learnsThePlacesOfTheLostFromTheirNeighbours() {
        RankPlaces places = RankPlaces.of(files(Scheme.rs(2), 1, 2));
        assertEquals(place(Scheme.rs(2), 1), places.placeOf(1));
        assertEquals(List.of(0, 1, 2, 3), places.membersOf(2));
        assertEquals(2, places.placeOf(2).rank());
    }

    @Test
    void whatMostFilesTellCountsWhenOneIsOfAFormerScheme() {
        List<Optional<DescriptorFile>> files = files(Scheme.rs(2));
        files.set(3, file(Scheme.xor(), 3));
        assertEquals(List.of(place(Scheme.rs(2), 0), place(Scheme.rs(2), 1), place(Scheme.rs(2), 2),
                place(Scheme.rs(2), 3)), RankPlaces.of(files).places());
    }

    @Test
    void namesTheRanksThatNobodyTellsOfAndTheScheme() {
        IrrecoverableFilesException lost = assertThrows(IrrecoverableFilesException.class,
                () -> RankPlaces.of(files(Scheme.xor(), 1, 2)));
        assertSays(lost, "[1, 2]", "tells of ranks [1]", "XOR");
        assertEquals(Set.of(1, 2), lost.lostRanks());
        assertSays(assertThrows(IrrecoverableFilesException.class,
                () -> RankPlaces.of(files(Scheme.xor(), 0, 1, 2, 3))), "nothing was protected");
    }

    @Test
    void saysSoWhenThereAreOtherProcessesThanProtectedTheFiles() {
        assertSays(assertThrows(IrrecoverableFilesException.class,
                () -> RankPlaces.of(files(Scheme.xor()).subList(0, 3))), "of 4 ranks", "here are 3");
    }

    @Test
    void saysSoWhenFilesAreOfDifferentEncodings() {
        List<Optional<DescriptorFile>> files = files(Scheme.xor());
        files.set(2, file(Scheme.partner(1), 2));
        files.set(3, file(Scheme.partner(1), 3));
        assertSays(assertThrows(IrrecoverableFilesException.class, () -> RankPlaces.of(files)),
                "different encodings");
    }

    private static Optional<DescriptorFile> file(Descriptor... places) {
        SortedMap<Integer, Descriptor> byWorldRank = new TreeMap<>();
        for (Descriptor place : places) {
            byWorldRank.put(place.worldRank(), place);
        }
        return Optional.of(new DescriptorFile(byWorldRank));
    }

    @Test
    void inATieWhatTheRankItselfSaysCounts() {
        Scheme now = Scheme.rs(2);
        Scheme former = Scheme.xor();
        // Each rank is named twice: by another's file that is read before its own, or after it.
        List<Optional<DescriptorFile>> files = List.of(file(place(now, 0), place(former, 3)),
                file(place(now, 1), place(former, 2)), file(place(now, 2), place(former, 1)),
                file(place(now, 3), place(former, 0)));
        assertEquals(List.of(place(now, 0), place(now, 1), place(now, 2), place(now, 3)),
                RankPlaces.of(files).places());
    }

    @Test
    void refusesSetsWithAMemberTwice() {
        Descriptor twice = new Descriptor(Scheme.xor(), 0, 1, 1, RANKS, 2, RANKS);
        IrrecoverableFilesException refused = assertThrows(IrrecoverableFilesException.class,
                () -> RankPlaces.of(List.of(file(place(Scheme.xor(), 0)), file(place(Scheme.xor(), 1)), file(twice),
                        file(place(Scheme.xor(), 3)))));
        assertSays(refused, "ranks [0, 1, 2, 3] form no whole sets");
    }

    @Test
    void refusesSetsWithAMemberTooFewOrTooMany() {
        Descriptor tooMany = new Descriptor(Scheme.xor(), 0, 1, 1, 3, 3, RANKS);
        List<Optional<DescriptorFile>> files = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            files.add(file(new Descriptor(Scheme.xor(), 0, 1, rank, 3, rank, RANKS)));
        }
        files.add(file(tooMany));
        assertSays(assertThrows(IrrecoverableFilesException.class, () -> RankPlaces.of(files)), "no whole sets");
        files.set(3, file(new Descriptor(Scheme.xor(), 0, 2, 1, 2, 3, RANKS)));
        assertSays(assertThrows(IrrecoverableFilesException.class, () -> RankPlaces.of(files)),
                "ranks [3] form no whole sets");
    }

    /** Guards against work of the square of the ranks, which takes minutes. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
    void findsThePlacesOfVeryManyRanks() {
        int ranks = 400_000;
        int setSize = 8;
        List<Optional<DescriptorFile>> files = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            files.add(file(new Descriptor(Scheme.xor(), rank / setSize, ranks / setSize, rank % setSize, setSize, rank,
                    ranks)));
        }
        RankPlaces places = RankPlaces.of(files);
        assertEquals(ranks, places.places().size());
        assertEquals(List.of(8, 9, 10, 11, 12, 13, 14, 15), places.membersOf(9));
    }
}

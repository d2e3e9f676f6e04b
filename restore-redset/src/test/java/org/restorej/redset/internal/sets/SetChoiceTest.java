package org.restorej.redset.internal.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;
import org.restorej.testing.SeededRandom;

class SetChoiceTest {
    @Test
    void cutsRanksIntoSetsAsTheSpecificationSays() {
        assertEquals(List.of(9), sizes(9, 8));
        assertEquals(List.of(15), sizes(15, 8));
        assertEquals(List.of(8, 8), sizes(16, 8));
        assertEquals(List.of(9, 8), sizes(17, 8));
        assertEquals(List.of(9, 9), sizes(18, 8));
        assertEquals(List.of(12, 11), sizes(23, 8));
        assertEquals(List.of(5, 5), sizes(10, 4));
        assertEquals(List.of(4, 3, 3), sizes(10, 3));
        assertEquals(List.of(3), sizes(3, 8));
        assertEquals(List.of(1, 1, 1), sizes(3, 1));
    }

    private static List<Integer> sizes(int ranks, int setSize) {
        return across(nodes(ranks, 1), setSize).stream().map(List::size).toList();
    }

    private static List<List<Integer>> across(List<String> labels, int setSize) {
        return new ProtectionSettings(Scheme.xor(), setSize, false, "").sets(labels);
    }

    @Test
    void takesOneRankOfEachNode() {
        assertEquals("[[0, 2, 4, 6], [1, 3, 5, 7]]", across(nodes(8, 2), 8).toString());
    }

    @Test
    void numbersSetsByTheirLeadersNotByTheirSlices() {
        // The slices are 0 3 4 6, then 1 5 7, then 2: the second set of the first slice is led by rank 4.
        List<String> nodes = List.of("a", "a", "a", "b", "c", "b", "d", "c");
        assertEquals("[[0, 3], [1, 5, 7], [2], [4, 6]]", across(nodes, 2).toString());
    }

    @Test
    void singleGivesEveryRankASetOfItsOwn() {
        assertEquals("[[0], [1], [2], [3]]",
                new ProtectionSettings(Scheme.single(), 8, false, "").sets(nodes(4, 2)).toString());
    }

    @Test
    void everyRankIsInOneSetAndNoSetHasTwoOfAFailureGroup() {
        SeededRandom random = SeededRandom.forTest("everyRankIsInOneSetAndNoSetHasTwoOfAFailureGroup");
        for (int i = 0; i < 500; i++) {
            int ranks = 1 + random.nextInt(60);
            int nodes = 1 + random.nextInt(20);
            int setSize = 1 + random.nextInt(10);
            List<String> labels = IntStream.range(0, ranks).mapToObj(rank -> "n" + random.nextInt(nodes)).toList();
            Set<Integer> seen = new HashSet<>();
            int leader = -1;
            for (List<Integer> members : across(labels, setSize)) {
                assertTrue(members.get(0) > leader, "sets are in the order of their leaders");
                leader = members.get(0);
                Set<String> groups = new HashSet<>();
                for (int member : members) {
                    assertTrue(seen.add(member));
                    assertTrue(groups.add(labels.get(member)), labels + " set size " + setSize);
                }
            }
            assertEquals(ranks, seen.size());
        }
    }

    @Test
    void refusesNoRanks() {
        for (Scheme scheme : List.of(Scheme.single(), Scheme.xor())) {
            ProtectionSettings settings = new ProtectionSettings(scheme, 1, false, "");
            assertThrows(IllegalArgumentException.class, () -> settings.sets(List.of()));
        }
    }

    @Test
    void refusesASetSizeOfZero() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> across(nodes(4, 1), 0)), "setSize=0");
    }

    private static List<String> nodes(int ranks, int ranksPerNode) {
        return IntStream.range(0, ranks).mapToObj(rank -> "node" + rank / ranksPerNode).toList();
    }
}

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
import org.restorej.redset.internal.format.Descriptor;

class RedundancySetsTest {
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
        RedundancySets sets = RedundancySets.across(nodes(ranks, 1), setSize);
        return sets.sets().stream().map(List::size).toList();
    }

    @Test
    void takesOneRankOfEachNode() {
        RedundancySets sets = RedundancySets.across(nodes(8, 2), 8);
        assertEquals("[[0, 2, 4, 6], [1, 3, 5, 7]]", sets.toString());
        assertEquals(new Descriptor(Scheme.xor(), 1, 2, 2, 4, 5, 8), sets.descriptor(Scheme.xor(), 5));
    }

    @Test
    void numbersSetsByTheirLeadersNotByTheirSlices() {
        // The slices are 0 3 4 6, then 1 5 7, then 2: the second set of the first slice is led by rank 4.
        List<String> nodes = List.of("a", "a", "a", "b", "c", "b", "d", "c");
        assertEquals("[[0, 3], [1, 5, 7], [2], [4, 6]]", RedundancySets.across(nodes, 2).toString());
    }

    @Test
    void singleGivesEveryRankASetOfItsOwn() {
        RedundancySets sets = RedundancySets.of(Scheme.single(), nodes(4, 2), 8);
        assertEquals(new Descriptor(Scheme.single(), 2, 4, 0, 1, 2, 4), sets.descriptor(Scheme.single(), 2));
    }

    @Test
    void everyRankIsInOneSetAndNoSetHasTwoOfAFailureGroup() {
        SeededRandom random = SeededRandom.forTest("everyRankIsInOneSetAndNoSetHasTwoOfAFailureGroup");
        for (int i = 0; i < 500; i++) {
            int ranks = 1 + random.nextInt(60);
            int nodes = 1 + random.nextInt(20);
            int setSize = 1 + random.nextInt(10);
            List<String> labels = IntStream.range(0, ranks).mapToObj(rank -> "n" + random.nextInt(nodes)).toList();
            RedundancySets sets = RedundancySets.across(labels, setSize);
            Set<Integer> seen = new HashSet<>();
            int leader = -1;
            for (List<Integer> members : sets.sets()) {
                assertTrue(members.get(0) > leader, "sets are in the order of their leaders");
                leader = members.get(0);
                Set<String> groups = new HashSet<>();
                for (int member : members) {
                    assertTrue(seen.add(member));
                    assertTrue(groups.add(labels.get(member)), labels + " set size " + setSize);
                    assertEquals(members, sets.membersOf(member));
                }
            }
            assertEquals(ranks, seen.size());
        }
    }

    @Test
    void refusesNoRanks() {
        for (Scheme scheme : List.of(Scheme.single(), Scheme.xor())) {
            assertThrows(IllegalArgumentException.class, () -> RedundancySets.of(scheme, List.of(), 1));
        }
        assertEquals("[[0]]", RedundancySets.of(Scheme.single(), List.of("a"), 1).toString());
    }

    @Test
    void refusesASetSizeOfZero() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> RedundancySets.across(nodes(4, 1), 0)),
                "setSize=0");
    }

    @Test
    void refusesASchemeThatASetIsTooSmallFor() {
        RedundancySets sets = RedundancySets.across(nodes(1, 1), 8);
        assertSays(assertThrows(IllegalArgumentException.class, () -> sets.descriptor(Scheme.xor(), 0)), "at least 2");
    }

    private static List<String> nodes(int ranks, int ranksPerNode) {
        return IntStream.range(0, ranks).mapToObj(rank -> "node" + rank / ranksPerNode).toList();
    }
}

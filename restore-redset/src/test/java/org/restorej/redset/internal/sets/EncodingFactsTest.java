package org.restorej.redset.internal.sets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

class EncodingFactsTest {
    private static Descriptor place(Scheme scheme, int group, int rank, int worldRank) {
        return new Descriptor(scheme, group, 2, rank, 3, worldRank, 6);
    }

    private static EncodingFacts facts(Descriptor... places) {
        return EncodingFacts.ofPlaces(List.of(places));
    }

    private static RedundancyHeader header(Scheme scheme, String file, int rank) {
        List<RankRecord> members = new ArrayList<>();
        for (int member = 0; member < 3; member++) {
            members.add(new RankRecord(place(scheme, 0, member, member),
                    List.of(new FileRecord(file + member, 100, null))));
        }
        return new SetDescription(members).header(rank);
    }

    @Test
    void placesContradictOneAnotherByRankSetMemberAndNumbers() {
        EncodingFacts known = facts(place(Scheme.xor(), 0, 1, 2));
        assertTrue(known.agreesWith(facts(place(Scheme.xor(), 0, 2, 4))));
        assertTrue(known.agreesWith(facts(place(Scheme.partner(1), 1, 1, 3))));
        assertFalse(known.agreesWith(facts(place(Scheme.xor(), 1, 0, 2))), "another place of the same rank");
        assertFalse(known.agreesWith(facts(place(Scheme.xor(), 0, 1, 3))), "another rank in the same place");
        assertFalse(known.agreesWith(facts(place(Scheme.rs(1), 0, 2, 4))), "the same set, protected otherwise");
        assertFalse(known.agreesWith(facts(new Descriptor(Scheme.xor(), 1, 2, 0, 3, 3, 7))), "other processes");
        assertFalse(known.agreesWith(facts(new Descriptor(Scheme.xor(), 1, 3, 0, 3, 3, 6))), "other sets");
    }

    @Test
    void learnsNothingOfWhatContradicts() {
        EncodingFacts known = new EncodingFacts();
        assertTrue(known.isEmpty());
        assertTrue(known.mayHave(name("xor", 99, 100, 1, 3, 100)));
        assertTrue(known.add(facts(place(Scheme.xor(), 0, 1, 2))));
        assertFalse(known.isEmpty());
        assertFalse(known.add(facts(place(Scheme.xor(), 0, 2, 2), place(Scheme.xor(), 1, 0, 5))));
        assertTrue(known.add(facts(place(Scheme.xor(), 1, 0, 5))));
    }

    private static RedsetFileNames.Redundancy name(String scheme, int group, int groups, int rank, int ranks,
            int worldRank) {
        return RedsetFileNames.parseRedundancy(worldRank + "." + scheme + ".grp_" + (group + 1) + "_of_" + groups
                + ".mem_" + (rank + 1) + "_of_" + ranks + ".redset").orElseThrow();
    }

    @Test
    void aNameContradictsLikeAPlace() {
        EncodingFacts known = facts(place(Scheme.xor(), 0, 1, 2));
        assertTrue(known.mayHave(name("xor", 0, 2, 2, 3, 4)));
        assertTrue(known.mayHave(name("xor", 0, 2, 1, 3, 2)));
        assertTrue(known.mayHave(name("partner", 1, 2, 1, 4, 5)), "another set");
        assertFalse(known.mayHave(name("xor", 0, 2, 2, 3, 6)), "no such rank");
        assertFalse(known.mayHave(name("xor", 0, 3, 2, 3, 5)), "other sets");
        assertFalse(known.mayHave(name("rs", 0, 2, 2, 3, 4)), "the same set, protected otherwise");
        assertFalse(known.mayHave(name("xor", 0, 2, 2, 4, 4)), "a larger set");
        assertFalse(known.mayHave(name("xor", 0, 2, 1, 3, 4)), "another rank in the same place");
        assertFalse(known.mayHave(name("xor", 0, 2, 2, 3, 2)), "another place of the same rank");
        assertFalse(known.mayHave(name("xor", 1, 2, 0, 3, 2)), "the same rank in another set");
    }

    @Test
    void groupsWhatDoesNotContradictOnceAndAFileOfARankOnly() {
        List<EncodingFacts> files = List.of(EncodingFacts.ofHeader(header(Scheme.xor(), "new", 0), "a"),
                EncodingFacts.ofHeader(header(Scheme.xor(), "old", 1), "b"),
                EncodingFacts.ofHeader(header(Scheme.xor(), "new", 2), "c"),
                EncodingFacts.ofHeader(header(Scheme.xor(), "new", 2), "copy of c"));
        assertEquals(List.of(bits(0, 2), bits(1), bits(0, 3)), List.copyOf(EncodingFacts.groups(files)));
        assertEquals(List.of(bits(0, 2)),
                List.copyOf(EncodingFacts.groups(List.of(files.get(0), files.get(1), files.get(2)))).subList(0, 1));
        assertEquals(List.of(bits(0, 1)), List.copyOf(EncodingFacts.groups(List.of(files.get(0), files.get(2)))));
    }

    @Test
    void headersOfOtherChunksOrMembersContradict() {
        EncodingFacts known = EncodingFacts.ofHeader(header(Scheme.xor(), "same", 0), "a");
        RedundancyHeader other = header(Scheme.xor(), "same", 1);
        assertTrue(known.agreesWith(EncodingFacts.ofHeader(other, "b")));
        assertFalse(known.agreesWith(EncodingFacts.ofHeader(
                new RedundancyHeader(1, other.byRank(), other.chunkBytes() + 1, other.worldRanks()), "b")));
        assertFalse(known.agreesWith(EncodingFacts.ofHeader(
                new RedundancyHeader(1, other.byRank(), other.chunkBytes(), List.of(0, 1, 5)), "b")));
    }

    private static BitSet bits(int... set) {
        BitSet bits = new BitSet();
        for (int bit : set) {
            bits.set(bit);
        }
        return bits;
    }
}

package org.restorej.redset.internal.sets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;

/**
 * Facts in files about their encoding: keys with values. Files of one encoding never give one key two values, so files
 * that do are of different encodings. The current encoding is determined from that. Ranks that recover, one process
 * with access to all files, and a load of blocks all use this class. Not thread-safe.
 */
public final class EncodingFacts {
    private static final int UNKNOWN = -1;

    private final Map<List<Object>, Object> values = new HashMap<>();

    /** Subject of a fact. The first three have one value for the whole encoding or set. */
    private enum Kind {
        WORLD_RANKS, GROUPS, HEADER, WORLD_RANK, GROUP, MEMBER, RECORD, FILE
    }

    private static List<Object> key(Kind kind) {
        return key(kind, 0);
    }

    /**
     * The key of a fact. A list, since the JVM would generate code to compare records in a first recovery.
     *
     * @param number of a rank or a group
     */
    private static List<Object> key(Kind kind, int number) {
        return List.of(kind, number);
    }

    /** Creates an empty collection. */
    public EncodingFacts() {}

    /** The places of ranks in files. */
    public static EncodingFacts ofPlaces(Collection<Descriptor> places) {
        EncodingFacts facts = new EncodingFacts();
        for (Descriptor place : places) {
            facts.values.put(key(Kind.WORLD_RANKS), place.worldRanks());
            facts.values.put(key(Kind.GROUPS), place.groups());
            facts.values.put(key(Kind.GROUP, place.group()), place.ofMember(0, 0));
            facts.values.put(key(Kind.WORLD_RANK, place.worldRank()), place);
            facts.values.put(List.of(Kind.MEMBER, place.group(), place.rank()), place.worldRank());
        }
        return facts;
    }

    /**
     * A header's facts about its set and the files of some members.
     *
     * @param file the header's file: an encoding has only one for a rank
     */
    public static EncodingFacts ofHeader(RedundancyHeader header, Object file) {
        EncodingFacts facts = new EncodingFacts();
        facts.values.put(key(Kind.HEADER), List.of(header.chunkBytes(), header.worldRanks()));
        facts.values.put(key(Kind.FILE, header.rank()), file);
        for (Map.Entry<Integer, RankRecord> entry : header.byRank().entrySet()) {
            // Trees are compared without the code that the JVM would generate for records in a first recovery.
            facts.values.put(key(Kind.RECORD, entry.getKey()), entry.getValue().toTree());
        }
        return facts;
    }

    /** Whether there are no facts. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Whether other facts don't contradict these. */
    public boolean agreesWith(EncodingFacts others) {
        return others.values.entrySet().stream()
                .allMatch(fact -> fact.getValue().equals(values.getOrDefault(fact.getKey(), fact.getValue())));
    }

    /**
     * Adds facts.
     *
     * @return false if they contradict these; then none is added
     */
    public boolean add(EncodingFacts others) {
        boolean agrees = agreesWith(others);
        if (agrees) {
            values.putAll(others.values);
        }
        return agrees;
    }

    /** Whether a redundancy file of this name may be of the encoding; true if nothing is known. */
    public boolean mayHave(RedsetFileNames.Redundancy name) {
        if (isEmpty()) {
            return true;
        }
        Descriptor set = (Descriptor) values.get(key(Kind.GROUP, name.group()));
        boolean isOfSet = set == null
                ? !values.containsKey(key(Kind.WORLD_RANK, name.worldRank()))
                : set.ranks() == name.ranks() && set.scheme().typeName().equals(name.typeName());
        return isOfSet && values.getOrDefault(key(Kind.GROUPS), UNKNOWN).equals(name.groups())
                && name.worldRank() < (int) values.getOrDefault(key(Kind.WORLD_RANKS), UNKNOWN)
                && (set == null || agreesWith(ofPlaces(List.of(set.ofMember(name.rank(), name.worldRank())))));
    }

    /**
     * For each file, the group of files that contradict neither it nor one another, as far as they can be added in
     * order. Equal groups are returned once. Takes time quadratic in the number of files if there are few encodings.
     *
     * @param files the facts of each file, in order
     * @return indexes of files
     */
    public static Collection<BitSet> groups(List<EncodingFacts> files) {
        Numbered numbered = new Numbered(files);
        Set<BitSet> groups = new LinkedHashSet<>();
        for (int first = 0; first < files.size(); first++) {
            BitSet group = numbered.agreeingWith(first);
            groups.add(group);
            if (group.cardinality() == files.size()) {
                break;
            }
        }
        return groups;
    }

    /** Values may be long, so equal ones get equal numbers first, and then only numbers are compared. */
    private static final class Numbered {
        private final Map<List<Object>, Integer> keys = new HashMap<>();
        private final Map<Object, Integer> values = new HashMap<>();
        /** Of each file: keys and values alternately. */
        private final List<int[]> files = new ArrayList<>();

        Numbered(List<EncodingFacts> all) {
            for (EncodingFacts facts : all) {
                int[] numbers = new int[2 * facts.values.size()];
                int next = 0;
                for (Map.Entry<List<Object>, Object> fact : facts.values.entrySet()) {
                    numbers[next++] = keys.computeIfAbsent(fact.getKey(), first -> keys.size());
                    numbers[next++] = values.computeIfAbsent(fact.getValue(), first -> values.size());
                }
                files.add(numbers);
            }
        }

        BitSet agreeingWith(int first) {
            int[] known = new int[keys.size()];
            Arrays.fill(known, UNKNOWN);
            BitSet agreeing = new BitSet();
            add(first, known, agreeing);
            for (int other = 0; other < files.size(); other++) {
                if (agrees(files.get(other), known)) {
                    add(other, known, agreeing);
                }
            }
            return agreeing;
        }

        private void add(int index, int[] known, BitSet agreeing) {
            int[] facts = files.get(index);
            for (int i = 0; i < facts.length; i += 2) {
                known[facts[i]] = facts[i + 1];
            }
            agreeing.set(index);
        }

        private static boolean agrees(int[] facts, int[] known) {
            for (int i = 0; i < facts.length; i += 2) {
                if (known[facts[i]] != UNKNOWN && known[facts[i]] != facts[i + 1]) {
                    return false;
                }
            }
            return true;
        }
    }
}

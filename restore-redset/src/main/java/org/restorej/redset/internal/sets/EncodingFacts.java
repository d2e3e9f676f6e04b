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
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;

/**
 * What files say of the encoding that they are of, as facts: a key and its value. Files of one encoding never give one
 * key two values, so those that do are of different encodings. Which of them counts follows from that: ranks that
 * recover, one process with access to all files, and a load of blocks ask the same here. One thread.
 */
public final class EncodingFacts {
    private static final int UNKNOWN = -1;

    private final Map<List<Object>, Object> values = new HashMap<>();

    /** What a fact is about; the first three are said once of the whole encoding or set. */
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

    /** No facts yet. */
    public EncodingFacts() {}

    /** What files say of the places of ranks. */
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
     * What a header says of its set and of the files of some members.
     *
     * @param file whose header it is: only one of a rank is of an encoding
     */
    public static EncodingFacts ofHeader(RedundancyHeader header, Object file) {
        EncodingFacts facts = new EncodingFacts();
        facts.values.put(key(Kind.HEADER), List.of(header.chunkBytes(), header.worldRanks()));
        facts.values.put(key(Kind.FILE, header.rank()), file);
        for (Map.Entry<Integer, RankRecord> entry : header.byRank().entrySet()) {
            // Trees compare without the code that the JVM would generate for records, in a first recovery.
            facts.values.put(key(Kind.RECORD, entry.getKey()), entry.getValue().toTree());
        }
        return facts;
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Whether other facts don't contradict these. */
    public boolean agreesWith(EncodingFacts others) {
        return others.values.entrySet().stream()
                .allMatch(fact -> fact.getValue().equals(values.getOrDefault(fact.getKey(), fact.getValue())));
    }

    /**
     * Learns further facts.
     *
     * @return false, and nothing is learned, when they contradict these
     */
    public boolean add(EncodingFacts others) {
        boolean agrees = agreesWith(others);
        if (agrees) {
            values.putAll(others.values);
        }
        return agrees;
    }

    /** The place of a rank, or null when it is not known. */
    public @Nullable Descriptor placeOf(int worldRank) {
        return (Descriptor) values.get(key(Kind.WORLD_RANK, worldRank));
    }

    /** A set, with no member in particular, or null when it is not known. */
    public @Nullable Descriptor set(int group) {
        return (Descriptor) values.get(key(Kind.GROUP, group));
    }

    /** Whether an encoding of so many sets may have a rank of this number; true when nothing is known. */
    public boolean mayHave(int worldRank, int groups) {
        return isEmpty() || (groups == (int) values.getOrDefault(key(Kind.GROUPS), UNKNOWN)
                && worldRank < (int) values.getOrDefault(key(Kind.WORLD_RANKS), UNKNOWN));
    }

    /**
     * For each of some files, those that contradict neither it nor one another, as far as they can be added in order;
     * the same group once. Cost: quadratic in the number of files where there are few encodings.
     *
     * @param files what each says, in order
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

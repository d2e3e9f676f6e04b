package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;

/**
 * Which headers of a set don't contradict one another. Headers may be long, so equal contents get equal numbers first,
 * and then only numbers are compared.
 */
final class HeaderAgreement {
    private static final int UNKNOWN = -1;

    /** What a header says: of the set as a whole, and of some ranks. */
    @SuppressWarnings("ArrayRecordComponent") // Compared number by number; never as a whole.
    private record Statement(int common, int[] ranks, int[] records) {}

    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<Statement> statements = new ArrayList<>();
    private final int ranks;

    private HeaderAgreement(List<RedundancyHeader> headers, int ranks) {
        this.ranks = ranks;
        for (RedundancyHeader header : headers) {
            int common = number(List.of(header.chunkBytes(), header.worldRanks()));
            int[] described = header.byRank().keySet().stream().mapToInt(Integer::intValue).toArray();
            Collection<RankRecord> records = header.byRank().values();
            // Trees compare without the code that the JVM would generate for records, in a first recovery.
            statements.add(new Statement(common, described,
                    records.stream().mapToInt(record -> number(record.toTree())).toArray()));
        }
    }

    private int number(Object said) {
        return numbers.computeIfAbsent(said, first -> numbers.size());
    }

    /**
     * For each header, those that contradict neither it nor one another, as far as they can be added in order; the same
     * group once.
     *
     * @param headers in order
     * @param ranks of the set
     * @return indexes of headers
     */
    static Collection<BitSet> groups(List<RedundancyHeader> headers, int ranks) {
        HeaderAgreement agreement = new HeaderAgreement(headers, ranks);
        Set<BitSet> groups = new LinkedHashSet<>();
        for (int first = 0; first < headers.size(); first++) {
            BitSet group = agreement.agreeingWith(first);
            groups.add(group);
            if (group.cardinality() == headers.size()) {
                break;
            }
        }
        return groups;
    }

    private BitSet agreeingWith(int first) {
        int[] known = new int[ranks];
        Arrays.fill(known, UNKNOWN);
        BitSet agreeing = new BitSet();
        add(first, known, agreeing);
        for (int other = 0; other < statements.size(); other++) {
            if (statements.get(other).common() == statements.get(first).common() && agrees(other, known)) {
                add(other, known, agreeing);
            }
        }
        return agreeing;
    }

    private void add(int index, int[] known, BitSet agreeing) {
        Statement statement = statements.get(index);
        for (int i = 0; i < statement.ranks().length; i++) {
            known[statement.ranks()[i]] = statement.records()[i];
        }
        agreeing.set(index);
    }

    private boolean agrees(int index, int[] known) {
        Statement statement = statements.get(index);
        for (int i = 0; i < statement.ranks().length; i++) {
            int so = known[statement.ranks()[i]];
            if (so != UNKNOWN && so != statement.records()[i]) {
                return false;
            }
        }
        return true;
    }
}

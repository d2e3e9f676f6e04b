package org.restorej.redset.internal.sets;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The state of a set, from what the files of its members say: which encoding counts, which members are missing, which
 * checksums are known. Ranks that recover, each of which sees its own files, and one process that sees all files ask
 * the same. Pure: whoever has the same members computes the same.
 *
 * @param description all members, or null when the headers that are left don't describe all of them
 * @param problem why there is no description; empty when there is one
 * @param missing ranks in the set that have to be rebuilt
 * @param checksums what is known, by rank
 * @param losses by rank, what is missing or damaged there, in words
 * @param disagrees whether redundancy and data of members that are not missing contradict one another
 */
public record SetSurvey(@Nullable SetDescription description, String problem, BitSet missing,
        SortedMap<Integer, RankChecksums> checksums, SortedMap<Integer, List<String>> losses, boolean disagrees) {
    private static final List<String> ABSENT = List
            .of("its redundancy file is absent, unreadable or of another encoding");
    private static final List<String> CONTRADICTS = List
            .of("headers contradict one another about it or its neighbours: they are of different encodings");

    /** Copies the collections. */
    public SetSurvey {
        missing = (BitSet) missing.clone();
        checksums = Collections.unmodifiableSortedMap(new TreeMap<>(checksums));
        losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
    }

    /**
     * What the files of a member say that has a sound redundancy file.
     *
     * @param header of that file
     * @param checksums what its file of checksums says, by rank; nothing when that is absent or of another encoding
     * @param losses what of its files is missing or damaged, in words; nothing means whole
     */
    public record Member(RedundancyHeader header, Map<Integer, RankChecksums> checksums, List<String> losses) {
        /** Copies the collections. */
        public Member {
            checksums = Map.copyOf(checksums);
            losses = List.copyOf(losses);
        }
    }

    /** Which encoding counts when headers are of different ones: processes failed while files were replaced. */
    public enum Choice {
        /** The one that the fewest members lack: ranks of a job have nobody to ask. */
        OF_MAX_MEMBERS,
        /** None, and then nothing is said of single members: somebody can tell one process which counts. */
        NONE
    }

    /**
     * Evaluates what there is. Cost: quadratic in the number of members where there are few encodings.
     *
     * @param ranks of the set; with {@link Choice#NONE} only what a header claims
     * @param members those that have a sound header, by rank; with {@link Choice#NONE} at least one
     */
    public static SetSurvey of(int ranks, List<Member> members, Choice choice) {
        Collection<BitSet> encodings = EncodingFacts.groups(members.stream()
                .map(member -> EncodingFacts.ofHeader(member.header(), member.header().rank())).toList());
        if (choice == Choice.NONE) {
            int contradicting = encodings.iterator().next().nextClearBit(0);
            if (contradicting < members.size()) {
                return undescribed("", Map.of(members.get(contradicting).header().rank(), CONTRADICTS));
            }
        }
        SetSurvey best = null;
        for (BitSet agreeing : encodings) {
            SetSurvey candidate = ofEncoding(ranks, agreeing.stream().mapToObj(members::get).toList(), choice);
            if (best == null || candidate.isBetterThan(best)) {
                best = candidate;
            }
        }
        return best == null ? ofEncoding(ranks, List.of(), choice) : best;
    }

    private static SetSurvey undescribed(String problem, Map<Integer, List<String>> losses) {
        return new SetSurvey(null, problem, new BitSet(), Collections.emptySortedMap(), new TreeMap<>(losses), false);
    }

    private boolean isBetterThan(SetSurvey other) {
        if ((description == null) != (other.description == null)) {
            return other.description == null;
        }
        return missing.cardinality() < other.missing.cardinality();
    }

    private static SetSurvey ofEncoding(int ranks, List<Member> encoding, Choice choice) {
        SetDescription description = null;
        String problem = "no file describes all of its " + ranks + " ranks";
        try {
            description = encoding.isEmpty()
                    ? null
                    : SetDescription.of(encoding.stream().map(Member::header).toList()).orElse(null);
        } catch (FormatException inconsistent) {
            problem = String.valueOf(inconsistent.getMessage());
        }
        if (description == null && choice == Choice.NONE) {
            // Before a loop over ranks, whose number is only what a file claims.
            return undescribed(problem, Map.of());
        }
        SortedMap<Integer, List<String>> losses = new TreeMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            losses.put(rank, ABSENT);
        }
        NavigableMap<Integer, RankChecksums> checksums = new TreeMap<>();
        for (Member member : encoding) {
            member.checksums().forEach(checksums::putIfAbsent);
            losses.put(member.header().rank(), member.losses());
        }
        losses.values().removeIf(List::isEmpty);
        BitSet missing = new BitSet();
        losses.keySet().forEach(missing::set);
        return new SetSurvey(description, description == null ? problem : "", missing, checksums, losses, false);
    }

    /** Whether everything can be had again. */
    public boolean canRebuild() {
        return description != null && !disagrees && description.scheme().canRebuild(missing, description.ranks());
    }

    /** The same with further losses found, by rank. */
    public SetSurvey with(Map<Integer, List<String>> further) {
        SortedMap<Integer, List<String>> all = new TreeMap<>(losses);
        BitSet more = (BitSet) missing.clone();
        further.forEach((rank, loss) -> {
            all.putIfAbsent(rank, loss);
            more.set(rank);
        });
        return new SetSurvey(description, problem, more, checksums, all, false);
    }

    /** The same, found to disagree. */
    public SetSurvey disagreeing() {
        return new SetSurvey(description, problem, missing, checksums, losses, true);
    }
}

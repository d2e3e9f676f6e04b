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
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
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
    private static final String TIED = "headers are of several encodings, none of which more members have than another";

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

    /**
     * Evaluates what there is. When headers are of different encodings, since processes failed while files were
     * replaced, the one counts that the fewest members lack; none where several could be rebuilt that as many lack.
     * Cost: quadratic in the number of members where there are few encodings.
     *
     * @param ranks of the set
     * @param members those that have a sound header, by rank
     */
    public static SetSurvey of(int ranks, List<Member> members) {
        Collection<BitSet> encodings = EncodingFacts.groups(members.stream()
                .map(member -> EncodingFacts.ofHeader(member.header(), member.header().rank())).toList());
        SetSurvey best = ofEncoding(ranks, List.of());
        boolean isTied = false;
        for (BitSet agreeing : encodings) {
            SetSurvey candidate = ofEncoding(ranks, agreeing.stream().mapToObj(members::get).toList());
            if (candidate.isBetterThan(best)) {
                best = candidate;
                isTied = false;
            } else {
                isTied |= candidate.canRebuild() && !best.isBetterThan(candidate);
            }
        }
        return isTied ? ofEncoding(ranks, List.of()).because(TIED) : best;
    }

    private SetSurvey because(String otherProblem) {
        return new SetSurvey(description, otherProblem, missing, checksums, losses, disagrees);
    }

    private boolean isBetterThan(SetSurvey other) {
        if ((description == null) != (other.description == null)) {
            return other.description == null;
        }
        return missing.cardinality() < other.missing.cardinality();
    }

    private static SetSurvey ofEncoding(int ranks, List<Member> encoding) {
        SetDescription description = null;
        String problem = "nobody is left who describes the files of all of its " + ranks + " ranks";
        try {
            description = encoding.isEmpty()
                    ? null
                    : SetDescription.of(encoding.stream().map(Member::header).toList()).orElse(null);
        } catch (FormatException inconsistent) {
            problem = String.valueOf(inconsistent.getMessage());
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

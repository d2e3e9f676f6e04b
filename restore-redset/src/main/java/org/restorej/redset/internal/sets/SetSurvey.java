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
 * The state of a set, from its members' files: the current encoding, missing members, known checksums. Ranks that
 * recover, each with its own files, and one process with all files both use this class. The result depends only on the
 * members.
 *
 * @param description all members, or null if the remaining headers don't describe all of them
 * @param problem why there is no description; empty if there is one
 * @param missing ranks in the set that have to be rebuilt
 * @param checksums known checksums by rank
 * @param losses by rank, missing or damaged files as text
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
     * The files of a member with a valid redundancy file.
     *
     * @param header of that file
     * @param checksums checksums in its file of checksums, by rank; empty if that is missing or of another encoding
     * @param losses its missing or damaged files as text; empty if it is intact
     */
    public record Member(RedundancyHeader header, Map<Integer, RankChecksums> checksums, List<String> losses) {
        /** Copies the collections. */
        public Member {
            checksums = Map.copyOf(checksums);
            losses = List.copyOf(losses);
        }
    }

    /**
     * Surveys a set. If headers are of different encodings, because processes failed while files were replaced, the
     * encoding counts that the fewest members lack; none, if several that could be rebuilt are equal in that. Takes
     * time quadratic in the number of members if there are few encodings.
     *
     * @param ranks number of ranks of the set
     * @param members members with a valid header, by rank
     */
    public static SetSurvey of(int ranks, List<Member> members) {
        SetSurvey ofAll = ofEncoding(ranks, members);
        if (ofAll.description() != null) {
            // Of one encoding, since they describe one set.
            return ofAll;
        }
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
        String problem = "no file is left that describes the files of all of its " + ranks + " ranks";
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

    /** Whether everything can be rebuilt. */
    public boolean canRebuild() {
        return description != null && !disagrees && description.scheme().canRebuild(missing, description.ranks());
    }

    /** This survey with further losses, by rank. */
    public SetSurvey with(Map<Integer, List<String>> further) {
        SortedMap<Integer, List<String>> all = new TreeMap<>(losses);
        BitSet more = (BitSet) missing.clone();
        further.forEach((rank, loss) -> {
            all.putIfAbsent(rank, loss);
            more.set(rank);
        });
        return new SetSurvey(description, problem, more, checksums, all, false);
    }

    /** This survey with a disagreement. */
    public SetSurvey disagreeing() {
        return new SetSurvey(description, problem, missing, checksums, losses, true);
    }
}

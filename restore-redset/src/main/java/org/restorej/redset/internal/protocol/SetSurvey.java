package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.ChecksumFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The state of a set, from the reports of its members: which encoding counts, which members are missing, which
 * checksums are known. Headers are of different encodings when processes died while files were replaced; then the
 * encoding counts that the fewest members lack. Pure: every member computes the same.
 *
 * @param description all members, or null when the headers that are left don't describe all of them
 * @param missing ranks in the set that have to be rebuilt
 * @param checksums what is known, by rank
 * @param losses by rank, what is missing or damaged there
 * @param disagrees whether redundancy and data of members that are not missing contradict one another
 */
record SetSurvey(@Nullable SetDescription description, BitSet missing, SortedMap<Integer, RankChecksums> checksums,
        SortedMap<Integer, String> losses, boolean disagrees) {

    /** Reads a header that a member of a rank has told. */
    @FunctionalInterface
    interface HeaderReader {
        /** The header that the bytes hold. */
        RedundancyHeader read(byte[] block, int rank) throws IOException;
    }

    /** A member that has sent a header. */
    private record Told(int rank, RedundancyHeader header, MemberReport report) {}

    /**
     * Evaluates the reports of all members, by rank. Cost: quadratic in the number of members where there are few
     * encodings.
     */
    static SetSurvey of(List<MemberReport> reports, HeaderReader reader) throws IOException {
        List<Told> told = new ArrayList<>();
        List<RedundancyHeader> headers = new ArrayList<>();
        for (int rank = 0; rank < reports.size(); rank++) {
            if (reports.get(rank).header().length > 0) {
                headers.add(reader.read(reports.get(rank).header(), rank));
                told.add(new Told(rank, headers.getLast(), reports.get(rank)));
            }
        }
        SetSurvey best = null;
        for (BitSet agreeing : HeaderAgreement.groups(headers, reports.size())) {
            SetSurvey candidate = of(reports, agreeing.stream().mapToObj(told::get).toList());
            if (best == null || candidate.isBetterThan(best)) {
                best = candidate;
            }
        }
        return best == null ? of(reports, List.of()) : best;
    }

    private boolean isBetterThan(SetSurvey other) {
        if ((description == null) != (other.description == null)) {
            return other.description == null;
        }
        return missing.cardinality() < other.missing.cardinality();
    }

    private static SetSurvey of(List<MemberReport> reports, List<Told> encoding) {
        SortedMap<Integer, String> losses = new TreeMap<>();
        for (int rank = 0; rank < reports.size(); rank++) {
            losses.put(rank, "its redundancy file is absent, unreadable or of another encoding");
        }
        SortedMap<Integer, RankRecord> records = new TreeMap<>();
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        for (Told member : encoding) {
            records.putAll(member.header().byRank());
            addChecksums(member, checksums);
            losses.remove(member.rank());
            if (!member.report().losses().isEmpty()) {
                losses.put(member.rank(), String.join(", ", member.report().losses()));
            }
        }
        BitSet missing = new BitSet();
        losses.keySet().forEach(missing::set);
        SetDescription description = records.size() == reports.size() ? describe(records, encoding) : null;
        return new SetSurvey(description, missing, Collections.unmodifiableSortedMap(checksums), losses, false);
    }

    private static @Nullable SetDescription describe(SortedMap<Integer, RankRecord> records, List<Told> encoding) {
        try {
            SetDescription set = new SetDescription(List.copyOf(records.values()));
            // Trees, as in HeaderAgreement.
            boolean fits = encoding.stream()
                    .allMatch(member -> set.header(member.rank()).toTree().equals(member.header().toTree()));
            return fits ? set : null;
        } catch (IllegalArgumentException | ArithmeticException inconsistent) {
            return null;
        }
    }

    /** What a file of checksums says counts when it is of the encoding of the header beside it. */
    private static void addChecksums(Told member, Map<Integer, RankChecksums> checksums) {
        if (member.report().checksums().length == 0) {
            return;
        }
        try {
            ChecksumFile file = ChecksumFile.decode(member.report().checksums());
            ChecksumFiles.matching(file, member.header()).forEach(checksums::putIfAbsent);
        } catch (IOException damaged) {
            // As if it were absent: its content is known to the neighbours, and it is rewritten.
        }
    }

    /** Whether everything can be had again. */
    boolean canRebuild() {
        return description != null && !disagrees && description.scheme().canRebuild(missing, description.ranks());
    }

    /** The checksums of a rank, which must be known. */
    RankChecksums checksumsOf(int rank) {
        RankChecksums known = checksums.get(rank);
        if (known == null) {
            throw new IllegalStateException("no checksums of rank " + rank);
        }
        return known;
    }

    /** The same with further losses found. */
    SetSurvey with(SortedMap<Integer, String> further) {
        SortedMap<Integer, String> all = new TreeMap<>(losses);
        BitSet more = (BitSet) missing.clone();
        further.forEach((rank, loss) -> {
            all.putIfAbsent(rank, loss);
            more.set(rank);
        });
        return new SetSurvey(description, more, checksums, all, false);
    }

    /** The same, found to disagree. */
    SetSurvey disagreeing() {
        return new SetSurvey(description, missing, checksums, losses, true);
    }
}

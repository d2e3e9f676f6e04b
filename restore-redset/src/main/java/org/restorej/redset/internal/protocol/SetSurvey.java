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
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.EncodingFacts;

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
        /** The header in a tree. */
        RedundancyHeader read(KvTree header, int rank) throws IOException;
    }

    /** A member that has sent a header. */
    private record Told(int rank, RedundancyHeader header, Report report) {}

    /**
     * Evaluates the reports of all members, by rank. Cost: quadratic in the number of members where there are few
     * encodings.
     */
    static SetSurvey of(List<Report> reports, HeaderReader reader) throws IOException {
        List<Told> told = new ArrayList<>();
        List<EncodingFacts> facts = new ArrayList<>();
        for (int rank = 0; rank < reports.size(); rank++) {
            if (!reports.get(rank).header().isEmpty()) {
                RedundancyHeader header = reader.read(reports.get(rank).header(), rank);
                facts.add(EncodingFacts.ofHeader(header, rank));
                told.add(new Told(rank, header, reports.get(rank)));
            }
        }
        SetSurvey best = null;
        for (BitSet agreeing : EncodingFacts.groups(facts)) {
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

    private static SetSurvey of(List<Report> reports, List<Told> encoding) {
        SortedMap<Integer, String> losses = new TreeMap<>();
        for (int rank = 0; rank < reports.size(); rank++) {
            losses.put(rank, "its redundancy file is absent, unreadable or of another encoding");
        }
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        for (Told member : encoding) {
            addChecksums(member, checksums);
            losses.remove(member.rank());
            if (!member.report().losses().isEmpty()) {
                losses.put(member.rank(), String.join(", ", member.report().losses()));
            }
        }
        BitSet missing = new BitSet();
        losses.keySet().forEach(missing::set);
        return new SetSurvey(describe(encoding), missing, Collections.unmodifiableSortedMap(checksums), losses, false);
    }

    private static @Nullable SetDescription describe(List<Told> encoding) {
        try {
            return encoding.isEmpty()
                    ? null
                    : SetDescription.of(encoding.stream().map(Told::header).toList()).orElse(null);
        } catch (FormatException inconsistent) {
            return null;
        }
    }

    /** What a file of checksums says counts when it is of the encoding of the header beside it. */
    private static void addChecksums(Told member, Map<Integer, RankChecksums> checksums) {
        if (member.report().checksums().isEmpty()) {
            return;
        }
        try {
            ChecksumFile file = ChecksumFile.read(member.report().checksums());
            SmallFiles.matching(file, member.header()).forEach(checksums::putIfAbsent);
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

    /**
     * What a member has found of its own files, as it tells the other members.
     *
     * @param header header of its redundancy file, empty when there is none
     * @param checksums its file of checksums, empty when there is none that is sound
     * @param losses what of it is missing or damaged, in words; nothing means whole
     */
    record Report(KvTree header, KvTree checksums, List<String> losses) {
        Report {
            losses = List.copyOf(losses);
        }

        KvTree toTree() {
            return KvTree.builder().put("HEADER", header).put("CHECKSUMS", checksums).putTexts("LOSSES", losses)
                    .build();
        }

        static Report read(KvTree tree) throws FormatException {
            TreeFields fields = new TreeFields("report", tree);
            return new Report(fields.child("HEADER").tree(), fields.child("CHECKSUMS").tree(),
                    fields.texts("LOSSES"));
        }
    }
}

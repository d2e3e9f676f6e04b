package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.SetSurvey;

/** Exchanges what is missing or damaged: within each set, then among all ranks. One thread. */
final class SurveyExchange {
    private static final String HEADER = "HEADER";
    private static final String CHECKSUMS = "CHECKSUMS";
    private static final String LOSSES = "LOSSES";

    private final RedsetChannel channel;
    private final ProtectedFiles files;
    private final OwnMember own;
    private final String operation;
    private List<KvTree> headers = List.of();

    /**
     * Prepares the surveys of one operation.
     *
     * @param files of this rank
     * @param own what is known of it
     * @param operation what it is part of, for messages
     */
    SurveyExchange(RedsetChannel channel, ProtectedFiles files, OwnMember own, String operation) {
        this.channel = channel;
        this.files = files;
        this.own = own;
        this.operation = operation;
    }

    /**
     * What is known of the own rank and its set.
     *
     * @param place of the rank
     * @param members of its set
     * @param found its redundancy file, or null when there is none that is sound
     */
    record OwnMember(Descriptor place, SetMembers members, ProtectedFiles.@Nullable FoundHeader found) {
        /** Rank in the set. */
        int rank() {
            return members.rank();
        }
    }

    /**
     * The survey of the own set, and its result for every rank.
     *
     * @param rewrites whether this rank has lost nothing but its descriptor file or checksums
     * @param statuses by rank
     */
    record Survey(SetSurvey own, boolean rewrites, List<RankStatus> statuses) {
        Survey {
            statuses = List.copyOf(statuses);
        }
    }

    /** Surveys names and sizes. Called by all ranks. */
    Survey byPresence() {
        return channel.compute(operation, () -> {
            PostponedFailure failure = new PostponedFailure();
            KvTree mine = failure.attempt(() -> report(own.found())).orElse(KvTree.EMPTY);
            List<KvTree> reports = own.members().gather(channel, mine);
            // Who tells nothing complains.
            Optional<SetSurvey> survey = reports.stream().anyMatch(KvTree::isEmpty)
                    ? Optional.empty()
                    : failure.attempt(() -> survey(reports));
            Optional<Survey> concluded = Optional.empty();
            if (survey.isPresent()) {
                concluded = Optional.of(tell(survey.get()));
            } else {
                channel.allGather(KvTree.EMPTY);
            }
            failure.throwIfAny();
            return concluded;
        }).orElseThrow();
    }

    private SetSurvey survey(List<KvTree> told) throws IOException {
        List<KvTree> ofMembers = new ArrayList<>();
        List<SetSurvey.Member> members = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            TreeFields report = new TreeFields("report", told.get(rank));
            KvTree header = report.child(HEADER).tree();
            ofMembers.add(header);
            if (!header.isEmpty()) {
                RedundancyHeader read = files.read(header, rank);
                members.add(new SetSurvey.Member(read, checksums(report.child(CHECKSUMS).tree(), read),
                        report.texts(LOSSES)));
            }
        }
        headers = ofMembers;
        return SetSurvey.of(told.size(), members, SetSurvey.Choice.OF_MOST_MEMBERS);
    }

    /** What a file of checksums says counts when it is of the encoding of the header beside it. */
    private static Map<Integer, RankChecksums> checksums(KvTree file, RedundancyHeader header) {
        try {
            return file.isEmpty() ? Map.of() : SmallFiles.matching(ChecksumFile.read(file), header);
        } catch (FormatException damaged) {
            // As if it were absent: its content is known to the neighbours, and it is rewritten.
            return Map.of();
        }
    }

    /**
     * How the own set is written, after a survey.
     *
     * @throws IOException when what the members have told is not of one set
     */
    SetFormat format(SetDescription set) throws IOException {
        return files.format(set, headers);
    }

    /** Whether all data of the own set can be compared with checksums, that of missing members too. */
    boolean isVerified(SetSurvey survey) {
        return IntStream.range(0, own.members().size()).allMatch(rank -> isVerified(survey, rank));
    }

    private boolean isVerified(SetSurvey survey, int rank) {
        SetDescription set = survey.description();
        try {
            return survey.checksums().containsKey(rank) || (set != null && format(set).recordsCrcs(rank));
        } catch (IOException | ArithmeticException notOneSet) {
            return false;
        }
    }

    /** Tells all ranks the result of a survey of contents. Called by all ranks. */
    Survey conclude(SetSurvey survey) {
        return channel.compute(operation, () -> tell(survey));
    }

    /** Tells all ranks the result of a survey. Called by all ranks in a step. */
    private Survey tell(SetSurvey survey) throws IOException {
        boolean rewrites = smallFilesAreDamaged(survey);
        boolean verified = isVerified(survey, own.rank());
        List<RankStatus> statuses = new ArrayList<>();
        for (KvTree told : channel.allGather(
                RankStatus.of(survey, own.members(), own.place(), verified, rewrites).toTree())) {
            // Who tells nothing complains.
            if (!told.isEmpty()) {
                statuses.add(RankStatus.read(told));
            }
        }
        return new Survey(survey, rewrites, statuses);
    }

    /**
     * Reports the own files: the header, empty when there is none that is sound; the file of checksums, likewise; what
     * is missing or damaged. A name that leads out of the allowed directories is an error and no loss, since the file
     * there is unknown.
     */
    private KvTree report(ProtectedFiles.@Nullable FoundHeader found) throws IOException {
        if (found == null) {
            return KvTree.builder().put(HEADER, KvTree.EMPTY).build();
        }
        MemberLocation location = files.locate(found.header().own());
        KvTree checksums = location.small().map(small -> treeOf(small.checksums())).orElse(KvTree.EMPTY);
        return KvTree.builder().put(HEADER, found.tree()).put(CHECKSUMS, checksums)
                .putTexts(LOSSES, files.losses(found, location)).build();
    }

    /** What is damaged counts as absent: its content is known to the neighbours, and it is rewritten. */
    private KvTree treeOf(Path path) {
        try {
            return KvTreeBlock.decode(files.operations().readBlock(path)).tree();
        } catch (IOException absentOrDamaged) {
            return KvTree.EMPTY;
        }
    }

    /** Whether this rank has lost nothing else than its descriptor file or checksums that are known. */
    private boolean smallFilesAreDamaged(SetSurvey survey) {
        SetDescription set = survey.description();
        if (set == null || survey.missing().get(own.rank())) {
            return false;
        }
        try {
            return SmallFiles.areDamaged(files.operations(), set, own.rank(),
                    files.locate(set.member(own.rank())), survey.checksums());
        } catch (IOException unlocatable) {
            // The others wait for what this rank tells; whoever opens the files next says so.
            return false;
        }
    }
}

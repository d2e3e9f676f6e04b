package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.MemberMetadata;
import org.restorej.redset.internal.coding.MemberRebuild;
import org.restorej.redset.internal.coding.OpenFiles;
import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.ReductionChain;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.Unreachable;
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

/**
 * The recovery of one set, in a process that acts for some of its members: what they have lost, what is rebuilt of them.
 * The processes of a set call the same methods; those that act for members of several sets do so in the order of these.
 * Whatever fails on one is told after the last message. One thread.
 */
final class SetRecovery {
    private static final String HEADER = "HEADER";
    private static final String CHECKSUMS = "CHECKSUMS";
    private static final String LOSSES = "LOSSES";

    private final RedsetChannel channel;
    private final SetMembers members;
    private final SortedMap<Integer, OwnMember> own;
    private final ProtectedFiles files;
    private List<KvTree> headers = List.of();
    private @Nullable SetSurvey survey;
    /** Of the members that this process acts for, by rank in the set; after {@link #begin}. */
    private final Map<Integer, MemberLocation> locations = new HashMap<>();
    private final Map<Integer, MemberRebuild> lost = new TreeMap<>();
    private boolean compares;
    /** Whether the contents of all own members were compared with checksums. */
    private boolean compared;
    /** What contents have shown of own members, by rank in the set. */
    private final Map<Integer, String> damage = new TreeMap<>();
    private boolean differs;

    /**
     * Prepares.
     *
     * @param own the members that this process acts for, by rank in the set
     */
    SetRecovery(RedsetChannel channel, SetMembers members, SortedMap<Integer, OwnMember> own) {
        this.channel = channel;
        this.members = members;
        this.own = new TreeMap<>(own);
        files = this.own.values().iterator().next().files();
    }

    /**
     * A member that this process acts for.
     *
     * @param place its place
     * @param files where its files are
     * @param found its redundancy file, or null when there is none that is sound
     * @param unseen whether no process has seen any file that protects it: then its files may go to where others are
     */
    record OwnMember(Descriptor place, ProtectedFiles files, ProtectedFiles.@Nullable FoundHeader found,
            boolean unseen) {}

    private SetSurvey survey() {
        return Objects.requireNonNull(survey, "a set is surveyed before anything else");
    }

    private SetDescription set() {
        return Objects.requireNonNull(survey().description(), "a set that is not described can't be rebuilt");
    }

    private FileOperations operations() {
        return files.operations();
    }

    /** Surveys names and sizes. Called by all processes of the set, in a step. */
    void survey(PostponedFailure failure) {
        Map<Integer, KvTree> mine = failure.attempt(() -> {
            Map<Integer, KvTree> reports = new TreeMap<>();
            for (Map.Entry<Integer, OwnMember> member : own.entrySet()) {
                reports.put(member.getKey(), report(member.getValue()));
            }
            return reports;
        }).orElse(Map.of());
        List<KvTree> reports = members.gather(channel, mine);
        // Who tells nothing complains.
        if (reports.stream().noneMatch(KvTree::isEmpty)) {
            survey = failure.attempt(() -> survey(reports)).orElse(null);
        }
    }

    private SetSurvey survey(List<KvTree> told) throws IOException {
        List<KvTree> ofMembers = new ArrayList<>();
        List<SetSurvey.Member> described = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            TreeFields report = new TreeFields("report", told.get(rank));
            KvTree header = report.child(HEADER).tree();
            ofMembers.add(header);
            if (!header.isEmpty()) {
                RedundancyHeader read = files.read(header, rank);
                described.add(new SetSurvey.Member(read, checksums(report.child(CHECKSUMS).tree(), read),
                        report.texts(LOSSES)));
            }
        }
        headers = ofMembers;
        return SetSurvey.of(told.size(), described, SetSurvey.Choice.OF_MAX_MEMBERS);
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
     * Reports the files of a member: the header, empty when there is none that is sound; the file of checksums, likewise;
     * what is missing or damaged. A name that leads out of the allowed directories is an error and no loss, since the
     * file there is unknown.
     */
    private static KvTree report(OwnMember member) throws IOException {
        ProtectedFiles.FoundHeader found = member.found();
        if (found == null) {
            return KvTree.builder().put(HEADER, KvTree.EMPTY).build();
        }
        MemberLocation location = member.files().locate(found.header().own());
        KvTree checksums = location.small().map(small -> treeOf(member.files().operations(), small.checksums()))
                .orElse(KvTree.EMPTY);
        return KvTree.builder().put(HEADER, found.tree()).put(CHECKSUMS, checksums)
                .putTexts(LOSSES, member.files().losses(found, location)).build();
    }

    /** What is damaged counts as absent: its content is known to the neighbours, and it is rewritten. */
    private static KvTree treeOf(FileOperations operations, Path path) {
        try {
            return KvTreeBlock.decode(operations.readBlock(path)).tree();
        } catch (IOException absentOrDamaged) {
            return KvTree.EMPTY;
        }
    }

    /** Whether the contents of a member can be compared with checksums, also of a missing one. */
    private boolean isVerified(int rank) {
        try {
            return survey().checksums().containsKey(rank)
                    || (survey().description() != null && files.format(set(), headers).recordsCrcs(rank));
        } catch (IOException | ArithmeticException notOneSet) {
            return false;
        }
    }

    /** Whether a member has lost nothing else than its descriptor file or checksums that are known. */
    private boolean rewrites(int rank) {
        if (survey().description() == null || survey().missing().get(rank)) {
            return false;
        }
        try {
            return SmallFiles.areDamaged(operations(), set(), rank, filesOf(rank).locate(set().member(rank)),
                    survey().checksums());
        } catch (IOException unlocatable) {
            // The others wait for what this process tells; whoever opens the files next says so.
            return false;
        }
    }

    private ProtectedFiles filesOf(int rank) {
        return Objects.requireNonNull(own.get(rank)).files();
    }

    /** Adds what is known of the own members, by the rank that each had; nothing after a failure. */
    void tell(KvTree.Builder statuses) {
        SetSurvey known = survey;
        if (known != null) {
            own.forEach((rank, member) -> statuses.put(members.worldRanks().get(rank).toString(),
                    RankStatus.of(known, members, member.place(), isVerified(rank), rewrites(rank)).toTree()));
        }
    }

    /**
     * Begins to rebuild the own members that are missing.
     *
     * @param targets files of lost members of all sets so far; takes those of this one
     * @throws IOException also when two lost members would have the same file
     */
    void begin(FileTransaction transaction, Set<Path> targets) throws IOException {
        SetSurvey known = survey();
        SetFormat format = files.format(set(), headers);
        compares = !IntStream.range(0, members.size()).allMatch(this::isVerified);
        locations.clear();
        lost.clear();
        for (Map.Entry<Integer, OwnMember> entry : own.entrySet()) {
            int rank = entry.getKey();
            MemberLocation location = filesOf(rank).locate(set().member(rank));
            locations.put(rank, location);
            if (known.missing().get(rank)) {
                Set<Path> paths = new HashSet<>();
                for (Path path : location.files()) {
                    paths.add(FilePaths.identity(path));
                }
                for (Path path : paths) {
                    if (!targets.add(path)) {
                        throw new IOException(path + " would be a file of two lost ranks: start as many processes as "
                                + "protected the files, or one more for each lost node");
                    }
                }
                lost.put(rank, new MemberRebuild(transaction, format, rank, location, known.checksums()));
            } else if (rewrites(rank)) {
                SmallFiles.write(transaction, set(), rank, location, known.checksums());
            }
        }
    }

    /**
     * Rebuilds what is missing, and compares the contents of own members with checksums unless that was done. Called by
     * all processes of the set, in a step.
     *
     * @return whether contents show that more is lost, or contradict redundancy
     */
    boolean exchange(PostponedFailure failure, ErasureKernel kernel, long pieceBytes) {
        List<ReductionChain> chains = compares
                ? ReductionChains.rebuildAndCompare(set(), survey().missing())
                : ReductionChains.rebuild(set(), survey().missing());
        damage.clear();
        differs = false;
        failure.communicate(() -> exchange(kernel, chains, pieceBytes));
        return !damage.isEmpty() || differs;
    }

    private boolean exchange(ErasureKernel kernel, List<ReductionChain> chains, long pieceBytes)
            throws IOException {
        List<Path> present = locations.values().stream().flatMap(location -> location.files().stream()).toList();
        try (var _ = new AccessTimes(operations(), present); OpenFiles open = new OpenFiles(operations())) {
            @Nullable
            MemberBytes[] bytes = new MemberBytes[members.size()];
            for (Map.Entry<Integer, MemberLocation> location : locations.entrySet()) {
                MemberRebuild rebuild = lost.get(location.getKey());
                bytes[location.getKey()] = rebuild == null
                        ? MemberBytes.present(open, set().member(location.getKey()), location.getValue())
                        : rebuild.bytes();
            }
            PieceLoop loop = members.pieceLoop(channel, kernel, chains, bytes, pieceBytes);
            try {
                loop.run();
            } catch (IOException failed) {
                int unreadable = loop.unreadableMember();
                if (compared || unreadable < 0 || lost.containsKey(unreadable)
                        || !survey().checksums().containsKey(unreadable)) {
                    throw failed;
                }
                Unreachable.requirePermission(failed);
                // What can't be read is lost; the others have got messages of no use, and begin anew.
                damage.put(unreadable, String.valueOf(failed.getMessage()));
                return true;
            }
            if (!compared) {
                compareContents(bytes);
                compared = true;
            }
            differs = !loop.disagreeing().isEmpty();
        }
        return true;
    }

    private void compareContents(@Nullable MemberBytes[] bytes) throws IOException {
        for (Map.Entry<Integer, OwnMember> entry : own.entrySet()) {
            int rank = entry.getKey();
            RankChecksums expected = survey().checksums().get(rank);
            ProtectedFiles.FoundHeader found = entry.getValue().found();
            if (expected != null && found != null && !lost.containsKey(rank)) {
                List<String> losses = MemberCheck.contents(operations(), found.header(), found.headerBytes(),
                        Objects.requireNonNull(locations.get(rank)), expected, bytes[rank]);
                if (!losses.isEmpty()) {
                    damage.put(rank, String.join(", ", losses));
                }
            }
        }
    }

    /**
     * Tells what contents have shown. A disagreement counts only where no checksum names who is damaged: without these
     * the rest may agree. Called by all processes of the set, in a step.
     */
    void tellContents() throws FormatException {
        Map<Integer, KvTree> mine = new TreeMap<>();
        for (int rank : own.keySet()) {
            mine.put(rank, KvTree.builder().putText("LOSS", damage.getOrDefault(rank, ""))
                    .put("DIFFER", differs ? 1 : 0).build());
        }
        List<KvTree> told = members.gather(channel, mine);
        boolean disagrees = false;
        Map<Integer, List<String>> losses = new TreeMap<>();
        for (int rank = 0; rank < told.size(); rank++) {
            TreeFields ofMember = new TreeFields("contents", told.get(rank));
            disagrees |= ofMember.integer("DIFFER", 0, 1) == 1;
            String loss = ofMember.longText("LOSS");
            if (!loss.isEmpty()) {
                losses.put(rank, List.of(loss));
            }
        }
        survey = losses.isEmpty() && disagrees ? survey().disagreeing() : survey().with(losses);
    }

    /** Brings what was rebuilt of own members to the disk, still under other names. */
    void finish() throws IOException {
        for (Map.Entry<Integer, MemberRebuild> member : lost.entrySet()) {
            member.getValue().finish();
            if (Objects.requireNonNull(own.get(member.getKey())).unseen()) {
                member.getValue().keepFilesOfOthers();
            }
        }
    }

    /**
     * Restores the metadata of own members that were not lost, because others were rebuilt. As redset has it: others of
     * their set, but any rank with PARTNER.
     *
     * @param anyIsMissing whether any member of any set was rebuilt
     */
    void restoreMetadata(boolean anyIsMissing) {
        boolean rebuilt = set().scheme() instanceof Scheme.Partner ? anyIsMissing : !survey().missing().isEmpty();
        locations.forEach((rank, location) -> {
            if (rebuilt && location.small().isPresent() && !lost.containsKey(rank)) {
                MemberMetadata.restore(operations(), set().member(rank), location);
            }
        });
    }

    /** Adds the data files of the own members, by the rank that each had. */
    void addFiles(SortedMap<Integer, List<Path>> byRank) {
        locations.forEach((rank, location) -> byRank.put(members.worldRanks().get(rank), location.files()));
    }
}

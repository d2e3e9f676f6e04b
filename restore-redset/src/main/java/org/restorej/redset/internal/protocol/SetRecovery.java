package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.MemberRebuild;
import org.restorej.redset.internal.coding.OpenFiles;
import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.PieceMessages;
import org.restorej.redset.internal.coding.ReductionChain;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.SetSurvey;

/**
 * Rebuilds or verifies one redundancy set, in a process that acts for some of its members (its own members), or, with
 * access to all files, for all of them. All processes of a set call the same methods. A process with members of several
 * sets calls them in the order of the sets. If a process fails in a step, it still sends the messages for which the
 * others wait, and throws afterwards. Not thread-safe.
 */
public final class SetRecovery {
    private final PieceMessages messages;
    private final SetMembers members;
    private final SortedMap<Integer, OwnMember> own;
    private final ProtectedFiles files;
    private List<KvTree> headers = List.of();
    private @Nullable SetFormat format;
    private @Nullable SetSurvey survey;
    /** Paths of the own members, by rank in the set; after {@link #verify} or {@link #begin}. */
    private final Map<Integer, MemberLocation> locations = new HashMap<>();
    private final Map<Integer, MemberRebuild> lost = new TreeMap<>();
    /** What {@link #smallLosses(int)} has found, by rank in the set. */
    private final Map<Integer, List<String>> smallLosses = new HashMap<>();
    /** Whether data are compared with the redundancy, because checksums of some member are missing. */
    private boolean compares;
    /** Whether nothing is rebuilt. */
    private boolean verifies;
    /** Whether contents are compared with checksums also where the rebuild doesn't read them. */
    private boolean readsEverything;
    /** Whether the contents of all own members were compared with checksums. */
    private boolean compared;
    /** Damage that was found in the contents of own members, by rank in the set. */
    private final Map<Integer, String> damage = new TreeMap<>();
    /** Whether data and redundancy disagree, and no CRCs show which of them is damaged. */
    private boolean differs;

    /**
     * Creates a recovery.
     *
     * @param own the members that this process acts for, by rank in the set
     */
    SetRecovery(PieceMessages messages, SetMembers members, SortedMap<Integer, OwnMember> own) {
        this.messages = messages;
        this.members = members;
        this.own = new TreeMap<>(own);
        files = this.own.values().iterator().next().files();
    }

    /**
     * Creates a recovery in a process that acts for all members.
     *
     * @param own all members, by rank in the set
     */
    public static SetRecovery ofOneProcess(SortedMap<Integer, OwnMember> own) {
        SetRecovery recovery = new SetRecovery(PieceMessages.OF_ONE_PROCESS,
                SetMembers.ofOneProcess(own.values().stream().map(member -> member.place().worldRank()).toList()), own);
        recovery.readEverything();
        return recovery;
    }

    /**
     * Lets {@link #exchange} read everything that is there. Otherwise it compares with checksums only what the rebuild
     * reads. Called by all processes of the set before {@link #begin}.
     */
    void readEverything() {
        readsEverything = true;
    }

    /** The state of the set; after {@link #survey(PostponedFailure)}. */
    public SetSurvey survey() {
        return Objects.requireNonNull(survey, "a set is surveyed before anything else");
    }

    /** The format of the set; after {@link #verify} or {@link #begin}. */
    public SetFormat format() {
        return Objects.requireNonNull(format, "the places of members are found first");
    }

    /** The paths of a member that this process acts for; after {@link #verify} or {@link #begin}. */
    public MemberLocation location(int rank) {
        return Objects.requireNonNull(locations.get(rank), "the places of members are found first");
    }

    private SetDescription set() {
        return Objects.requireNonNull(survey().description(), "a set that is not described can't be rebuilt");
    }

    /** Whether members are computed rather than copied. */
    boolean isCoded() {
        return set().scheme() instanceof Scheme.Coded;
    }

    /** The file system. */
    public FileOperations operations() {
        return files.operations();
    }

    /** Surveys names and sizes. Called by all processes of the set, in a step. */
    public void survey(PostponedFailure failure) {
        Map<Integer, KvTree> mine = failure.attempt(() -> {
            Map<Integer, KvTree> reports = new TreeMap<>();
            for (Map.Entry<Integer, OwnMember> member : own.entrySet()) {
                reports.put(member.getKey(), member.getValue().report());
            }
            return reports;
        }).orElse(Map.of());
        List<KvTree> reports = members.gather(messages, mine);
        // A process without a report throws an exception.
        if (reports.stream().noneMatch(KvTree::isEmpty)) {
            survey = failure.attempt(() -> survey(reports)).orElse(null);
        }
    }

    private SetSurvey survey(List<KvTree> told) throws IOException {
        List<KvTree> ofMembers = new ArrayList<>();
        List<SetSurvey.Member> described = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            ofMembers.add(OwnMember.headerIn(told.get(rank)));
            if (!ofMembers.getLast().isEmpty()) {
                described.add(OwnMember.read(told.get(rank), files.read(ofMembers.getLast(), rank)));
            }
        }
        headers = ofMembers;
        return SetSurvey.of(told.size(), described);
    }

    /** Whether the contents of a member, also of a missing one, can be compared with checksums. */
    private boolean isVerified(int rank) {
        try {
            return survey().checksums().containsKey(rank)
                    || (survey().description() != null && files.format(set(), headers).recordsCrcs(rank));
        } catch (IOException | ArithmeticException notOneSet) {
            return false;
        }
    }

    /** The missing or wrong small files (descriptor, known checksums) of a present member; looks at them once. */
    public List<String> smallLosses(int rank) {
        return survey().description() == null || survey().missing().get(rank)
                ? List.of()
                : smallLosses.computeIfAbsent(rank, this::lookAtSmallFiles);
    }

    private List<String> lookAtSmallFiles(int rank) {
        try {
            return SmallFiles.losses(operations(), set(), rank, filesOf(rank).locate(set().member(rank)),
                    survey().checksums());
        } catch (IOException unlocatable) {
            // The other processes wait for this message. The next access to the files throws.
            return List.of();
        }
    }

    private ProtectedFiles filesOf(int rank) {
        return Objects.requireNonNull(own.get(rank)).files();
    }

    /** Adds the status of the own members, by the world rank that each had. Adds nothing if the survey failed. */
    void tell(KvTree.Builder statuses) {
        SetSurvey known = survey;
        if (known != null) {
            own.forEach((rank, member) -> statuses.put(members.worldRanks().get(rank).toString(),
                    RankStatus.of(known, members, member.place(), isVerified(rank),
                            !smallLosses(rank).isEmpty()).toTree()));
        }
    }

    /**
     * Starts a verification: {@link #exchange} compares all contents that can be compared, and rebuilds nothing.
     *
     * @throws IOException if the paths of a member can't be determined
     */
    public void verify() throws IOException {
        locate();
        verifies = true;
        compares = survey().checksums().size() < members.size();
    }

    /**
     * Starts to rebuild the own members that are missing.
     *
     * @throws IOException if a file can't be written, or the paths of a member can't be determined
     */
    public void begin(FileTransaction transaction) throws IOException {
        locate();
        verifies = false;
        compares = (readsEverything || !survey().missing().isEmpty())
                && !IntStream.range(0, members.size()).allMatch(this::isVerified);
        for (Map.Entry<Integer, MemberLocation> member : locations.entrySet()) {
            int rank = member.getKey();
            if (survey().missing().get(rank)) {
                lost.put(rank, new MemberRebuild(transaction, format(), rank, member.getValue(),
                        survey().checksums()));
            } else if (!smallLosses(rank).isEmpty()) {
                SmallFiles.write(transaction, set(), rank, member.getValue(), survey().checksums());
            }
        }
    }

    private void locate() throws IOException {
        format = files.format(set(), headers);
        locations.clear();
        lost.clear();
        for (int rank : own.keySet()) {
            locations.put(rank, filesOf(rank).locate(set().member(rank)));
        }
    }

    /** Data files of each own member that is rebuilt; after {@link #begin}. */
    List<List<Path>> targets() {
        return lost.keySet().stream().map(rank -> location(rank).files()).toList();
    }

    private List<ReductionChain> chains() {
        if (verifies) {
            return compares ? ReductionChains.compare(set(), survey().missing()) : List.of();
        }
        return compares
                ? ReductionChains.rebuildAndCompare(set(), survey().missing())
                : ReductionChains.rebuild(set(), survey().missing());
    }

    /** Number of bytes whose progress {@link #exchange} reports. */
    public long workBytes() {
        return chains().stream().mapToLong(chain -> chain.bytes() * chain.targets().size()).sum();
    }

    /**
     * Rebuilds missing members, and compares with checksums what it reads of own members, or all of their contents,
     * unless an earlier call did. Called by all processes of the set, in a step.
     *
     * @param progress gets the number of bytes that were rebuilt or compared, piece by piece
     * @return whether the contents show more losses, or disagree with the redundancy
     */
    public boolean exchange(PostponedFailure failure, Supplier<ErasureKernel> kernel, long pieceBytes,
            LongConsumer progress) {
        damage.clear();
        differs = false;
        failure.communicate(() -> exchange(kernel, pieceBytes, progress));
        return !damage.isEmpty() || differs;
    }

    private boolean exchange(Supplier<ErasureKernel> kernel, long pieceBytes, LongConsumer progress)
            throws IOException {
        List<ReductionChain> chains = chains();
        if (chains.isEmpty() && !readsEverything) {
            return true;
        }
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
            PieceLoop loop = members.pieceLoop(messages, kernel, chains, bytes, pieceBytes, progress);
            try {
                loop.run();
            } catch (IOException failed) {
                int unreadable = loop.unreadableMember();
                if (compared || unreadable < 0 || survey().missing().get(unreadable)
                        || !survey().checksums().containsKey(unreadable)) {
                    throw failed;
                }
                Unreachable.requirePermission(failed);
                // An unreadable member counts as lost. The other processes got invalid messages, and repeat
                // the exchange.
                damage.put(unreadable, String.valueOf(failed.getMessage()));
                return true;
            }
            if (!compared) {
                compareContents(bytes);
                compared = readsEverything;
            }
            judge(loop.disagreeing());
        }
        return true;
    }

    /**
     * Records disagreeing rows. If CRCs of all data are recorded and right, the checksum of a disagreeing row of a
     * coded set is wrong.
     */
    private void judge(BitSet disagreeing) {
        if (IntStream.range(0, members.size()).allMatch(format()::recordsCrcs)) {
            disagreeing.stream().forEach(rank -> damage.put(rank, location(rank).redundancy()
                    + " disagrees with data files whose CRCs are right"));
        } else {
            differs = !disagreeing.isEmpty();
        }
    }

    private void compareContents(@Nullable MemberBytes[] bytes) throws IOException {
        for (Map.Entry<Integer, OwnMember> entry : own.entrySet()) {
            int rank = entry.getKey();
            RankChecksums expected = survey().checksums().get(rank);
            ProtectedFiles.FoundHeader found = entry.getValue().found();
            if (expected != null && found != null && !survey().missing().get(rank)) {
                List<String> losses = MemberCheck.contents(operations(), found.header(), found.headerBytes(),
                        Objects.requireNonNull(locations.get(rank)), expected, bytes[rank], readsEverything);
                if (!losses.isEmpty()) {
                    damage.put(rank, String.join(", ", losses));
                }
            }
        }
    }

    /**
     * Exchanges what {@link #exchange} found in the contents. A disagreement counts only if no checksum identifies a
     * damaged member: without that member the others may agree. Called by all processes of the set, in a step.
     */
    public void tellContents() throws FormatException {
        Map<Integer, KvTree> mine = new TreeMap<>();
        for (int rank : own.keySet()) {
            mine.put(rank, KvTree.builder().putText("LOSS", damage.getOrDefault(rank, ""))
                    .put("DIFFER", differs ? 1 : 0).build());
        }
        List<KvTree> told = members.gather(messages, mine);
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

    /** Writes the rebuilt files of own members to the disk, under temporary names. */
    public void finish() throws IOException {
        for (Map.Entry<Integer, MemberRebuild> member : lost.entrySet()) {
            member.getValue().finish();
            if (Objects.requireNonNull(own.get(member.getKey())).unseen()) {
                member.getValue().keepFilesOfOthers();
            }
        }
    }

    /** Adds the data files of the own members, by the world rank that each had. */
    void addFiles(SortedMap<Integer, List<Path>> byRank) {
        locations.forEach((rank, location) -> byRank.put(members.worldRanks().get(rank), location.files()));
    }
}

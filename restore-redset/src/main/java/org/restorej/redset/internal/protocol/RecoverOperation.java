package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.coding.PieceLoop;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.OpenFiles;
import org.restorej.redset.internal.coding.ReductionChain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.MemberMetadata;
import org.restorej.redset.internal.coding.MemberRebuild;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.RankPlaces;
import org.restorej.redset.internal.sets.SetSurvey;

/**
 * Finds what ranks have lost, and rebuilds it. Files are replaced only when the rebuilt files of all sets are complete
 * on the disk. When a set has lost more than its scheme can rebuild, nothing is written.
 */
public final class RecoverOperation {
    private static final System.Logger LOG = System.getLogger(RecoverOperation.class.getName());
    private static final String NAME = "recover";

    private final RedsetChannel channel;
    private final RankFiles ofRedset;
    private ProtectedFiles files;
    private long pieceBytes;
    private final ForeignFiles foreign;
    private final LockFile lock;
    private ForeignFiles.@Nullable Look look;

    /**
     * Prepares an operation; changes nothing.
     *
     * @param files of this rank
     * @param lock keeps other jobs away from them; stays the caller's
     * @param foreign what else may be there to recover
     * @param pieceBytes most bytes of a piece; the least of all ranks counts
     */
    public RecoverOperation(RedsetChannel channel, RankFiles files, LockFile lock, ForeignFiles foreign,
            long pieceBytes) {
        this.channel = channel;
        this.ofRedset = files;
        this.files = files;
        this.foreign = foreign;
        this.lock = lock;
        this.pieceBytes = pieceBytes;
    }

    /**
     * The own files, and those being rebuilt under other names if this rank is missing.
     *
     * @param compares whether the redundancy left over is compared, since not all contents have checksums
     */
    private record Begun(SetDescription set, MemberLocation location, Optional<MemberRebuild> lost, boolean compares) {}

    /**
     * What reading has shown of the own contents.
     *
     * @param loss what of them is damaged, by their checksums; else empty
     * @param differ whether they are not what redundancy says of them
     */
    private record Contents(String loss, boolean differ) {}

    /**
     * Recovers files. Called by all ranks. Contents are compared with checksums while they are read to rebuild others.
     * When that shows more losses, the rebuild starts again. Where not all contents have checksums, the redundancy left
     * over is compared, too; when it disagrees, nothing tells what is right.
     *
     * @param kernels gives the arithmetic, or says why it can't
     * @return by rank, what was found before anything was rebuilt
     * @throws IrrecoverableFilesException when more is lost than some set can bear
     */
    public List<RankStatus> run(Supplier<ErasureKernel> kernels) {
        List<ErasureKernel> kernel = new ArrayList<>();
        List<StartMessage> told = open(() -> kernel.add(kernels.get()));
        List<RecoveryStart> starts = told.stream().map(start -> RecoveryStart.read(start.content())).toList();
        boolean isForeign = RecoveryStart.areForeign(starts, NAME);
        RankPlaces places = RankPlaces.of(starts.stream().map(RecoveryStart::descriptorFile).toList());
        Descriptor place = places.placeOf(channel.rank());
        if (isForeign) {
            files = Objects.requireNonNull(look).files(RecoveryStart.namingInSetOf(channel.rank(), starts));
        }
        SetMembers members = new SetMembers(place.rank(), places.membersOf(channel.rank()));
        SurveyExchange.OwnMember own = channel.computeLocally(NAME,
                () -> new SurveyExchange.OwnMember(place, members, files.header(place)));
        SurveyExchange surveys = new SurveyExchange(channel, files, own, NAME);
        SurveyExchange.Survey survey = surveys.byPresence();
        Optional<SetSurvey> byContents = attempt(own, surveys, survey, kernel.get(0), false);
        while (byContents.isPresent()) {
            // Ends: contents are compared with checksums once, and a set that disagrees can't be rebuilt.
            survey = surveys.conclude(byContents.get());
            byContents = attempt(own, surveys, survey, kernel.get(0), true);
        }
        SortedSet<Integer> unverified = RankStatus.ranksOf(survey.statuses(), status -> !status.verified());
        if (channel.rank() == 0 && !unverified.isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "no checksums are recorded for ranks {0}: their contents are trusted, as "
                    + "redset does", unverified);
        }
        return survey.statuses();
    }

    /** Settles an interrupted commit, and looks for the files that are there afterwards. */
    private List<StartMessage> open(RedsetChannel.Action first) {
        FileCommit commit = ofRedset.commit();
        List<StartMessage> told = StartMessage.exchange(channel, NAME, () -> {
            first.run();
            lock.take();
            return start(InterruptedCommits.describe(commit, channel.size()));
        });
        if (InterruptedCommits.settle(channel, NAME, commit, told)) {
            told = StartMessage.exchange(channel, NAME, () -> start(""));
        }
        pieceBytes = StartMessage.leastPieceBytes(told);
        return told;
    }

    private StartMessage start(String interrupted) throws IOException {
        ForeignFiles.Look seen = foreign.look(ofRedset);
        look = seen;
        return new StartMessage(interrupted, pieceBytes, RecoveryStart.of(ofRedset, seen).toTree());
    }

    /**
     * Rebuilds what a survey names as missing, and compares contents unless that was done.
     *
     * @return a survey of more losses or of a disagreement, when contents show any: nothing was replaced then
     */
    private Optional<SetSurvey> attempt(SurveyExchange.OwnMember own, SurveyExchange surveys,
            SurveyExchange.Survey survey,
            ErasureKernel kernel, boolean checked) {
        RankStatus.requireRecoverable(survey.statuses());
        SetDescription set = survey.own().description();
        if (set == null) {
            throw new IllegalStateException("a set that is not described can't be rebuilt");
        }
        try (FileTransaction transaction = new FileTransaction(files.operations())) {
            Begun begun = begin(own, surveys, set, survey, transaction);
            Optional<SetSurvey> further = rebuild(own, survey.own(), begun, kernel, checked);
            if (further.isPresent()) {
                return further;
            }
            if (survey.statuses().stream().anyMatch(RankStatus::needsWriting)) {
                channel.localStep(NAME, transaction::publish);
            }
            if (begun.location().small().isPresent() && begun.lost().isEmpty() && rebuildsBesides(survey, set)) {
                MemberMetadata.restore(files.operations(), set.member(own.rank()), begun.location());
            }
        }
        return Optional.empty();
    }

    /**
     * Whether this rank restores metadata because others are rebuilt. As redset has it: others of its set, but any
     * rank with PARTNER.
     */
    private static boolean rebuildsBesides(SurveyExchange.Survey survey, SetDescription set) {
        return set.scheme() instanceof Scheme.Partner
                ? survey.statuses().stream().anyMatch(RankStatus::missing)
                : !survey.own().missing().isEmpty();
    }

    private Begun begin(SurveyExchange.OwnMember own, SurveyExchange surveys, SetDescription set,
            SurveyExchange.Survey survey,
            FileTransaction transaction) {
        return channel.computeLocally(NAME, () -> {
            MemberLocation location = files.locate(set.member(own.rank()));
            SetFormat format = surveys.format(set);
            boolean compares = !surveys.isVerified(survey.own());
            if (survey.own().missing().get(own.rank())) {
                return new Begun(set, location, Optional.of(
                        new MemberRebuild(transaction, format, own.rank(), location,
                                survey.own().checksums())),
                        compares);
            }
            if (survey.rewrites()) {
                SmallFiles.write(transaction, set, own.rank(), location, survey.own().checksums());
            }
            return new Begun(set, location, Optional.empty(), compares);
        });
    }

    /**
     * Rebuilds what is missing in the set. It is complete on the disk afterwards, unless more is lost.
     *
     * @return a survey of more losses or of a disagreement; empty when there are none
     */
    private Optional<SetSurvey> rebuild(SurveyExchange.OwnMember own, SetSurvey survey, Begun begun,
            ErasureKernel kernel,
            boolean checked) {
        List<ReductionChain> chains = begun.compares()
                ? ReductionChains.rebuildAndCompare(begun.set(), survey.missing())
                : ReductionChains.rebuild(begun.set(), survey.missing());
        RankChecksums expected = checked || survey.missing().get(own.rank())
                ? null
                : survey.checksums().get(own.rank());
        return channel.compute(NAME, () -> {
            PostponedFailure failure = new PostponedFailure();
            Contents contents = failure.attempt(() -> exchange(own, begun, chains, kernel, expected))
                    .orElse(new Contents("", false));
            long[] nobody = {contents.loss().isEmpty() && !contents.differ() ? 1 : 0, failure.isThere() ? 0 : 1};
            channel.least(nobody);
            Optional<SetSurvey> further = nobody[0] == 0
                    ? Optional.of(tellContents(own, survey, contents))
                    : Optional.empty();
            failure.throwIfAny();
            // When some rank could not read or write, what was rebuilt is useless.
            if (nobody[0] == 1 && nobody[1] == 1 && begun.lost().isPresent()) {
                begun.lost().get().finish();
            }
            return further;
        });
    }

    /** Exchanges pieces, and returns what that shows of the own contents. */
    private Contents exchange(SurveyExchange.OwnMember own, Begun begun, List<ReductionChain> chains,
            ErasureKernel kernel, @Nullable RankChecksums expected) throws IOException {
        try (var _ = new AccessTimes(files.operations(), begun.location().files());
                OpenFiles open = new OpenFiles(files.operations())) {
            MemberBytes bytes = begun.lost().isPresent()
                    ? begun.lost().get().bytes()
                    : MemberBytes.present(open, begun.set().member(own.rank()), begun.location());
            PieceLoop loop = own.members().pieceLoop(channel, kernel, chains, bytes, pieceBytes);
            try {
                loop.run();
            } catch (IOException failure) {
                if (expected == null || !loop.hasFailedToRead()) {
                    throw failure;
                }
                Unreachable.requirePermission(failure);
                // What can't be read is lost; the others have got messages of no use, and begin anew.
                return new Contents(String.valueOf(failure.getMessage()), false);
            }
            String loss = expected == null || own.found() == null
                    ? ""
                    : String.join(", ", MemberCheck.contents(files.operations(), own.found().header(),
                            own.found().headerBytes(), begun.location(), expected, bytes));
            return new Contents(loss, !loop.disagreeing().isEmpty());
        }
    }

    /**
     * The survey of the own set by contents. A disagreement counts only where no checksum names who is damaged: without
     * these the rest may agree. Called by all members in a step.
     */
    private SetSurvey tellContents(SurveyExchange.OwnMember own, SetSurvey survey, Contents contents)
            throws FormatException {
        KvTree mine = KvTree.builder().putText("LOSS", contents.loss()).put("DIFFER", contents.differ() ? 1 : 0)
                .build();
        List<KvTree> told = own.members().gather(channel, mine);
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
        return losses.isEmpty() && disagrees ? survey.disagreeing() : survey.with(losses);
    }
}

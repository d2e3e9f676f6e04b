package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.FileRecovery;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.MemberMetadata;
import org.restorej.redset.internal.coding.MemberReader;
import org.restorej.redset.internal.coding.MemberRebuild;
import org.restorej.redset.internal.coding.MemberWriter;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Finds out what the ranks have lost, and rebuilds it. Nothing takes its place before all sets have everything complete
 * on the disk; nothing is written when some set has lost more than it can bear.
 */
public final class RecoverOperation {
    private static final System.Logger LOG = System.getLogger(RecoverOperation.class.getName());
    private static final String NAME = "recover";
    private static final MemberWriter NOTHING_TO_WRITE = (place, offset, bytes) -> {
        throw new IllegalStateException("a member that is whole gets nothing");
    };

    private final RedsetChannel channel;
    private final RankFiles files;
    private long pieceBytes;
    private FileRecovery recovery = new FileRecovery(Collections.emptySortedSet(), Collections.emptySortedSet());

    /**
     * An operation.
     *
     * @param files of this rank
     * @param pieceBytes most bytes of a piece; the least of all ranks counts
     */
    public RecoverOperation(RedsetChannel channel, RankFiles files, long pieceBytes) {
        this.channel = channel;
        this.files = files;
        this.pieceBytes = pieceBytes;
    }

    /** What is being rebuilt of the own rank, under other names. */
    private record Begun(SetDescription set, MemberLocation location, List<MemberRebuild> lost) {}

    /**
     * Runs it. Called by all ranks. Contents are compared with checksums while they are read to rebuild others; when
     * that shows that more is lost, it begins anew.
     *
     * @param kernels gives the arithmetic, or says why it can't
     * @throws IrrecoverableFilesException when more is lost than some set can bear
     */
    public FileRecovery run(Supplier<ErasureKernel> kernels) {
        List<ErasureKernel> kernel = new ArrayList<>();
        List<Opening> told = open(() -> {
            kernel.add(kernels.get());
            files.refuseScrFiles();
        });
        DescriptorBook book = DescriptorBook.of(descriptors(told));
        Descriptor place = book.places().get(channel.rank());
        OwnMember own = new OwnMember(place, book.membersOf(channel.rank()), files.header(place));
        SurveyExchange surveys = new SurveyExchange(channel, files, own, NAME);
        SetSurvey byContents = attempt(own, surveys.byPresence(), kernel.get(0), false);
        if (byContents != null) {
            attempt(own, surveys.conclude(byContents), kernel.get(0), true);
        }
        return recovery;
    }

    /** Brings to an end what was interrupted, and reads descriptors, of what is there then. */
    private List<Opening> open(RedsetChannel.Part first) {
        FileCommit commit = files.commit();
        List<Opening> told = Opening.exchange(channel, NAME, () -> {
            first.run();
            return new Opening(InterruptedCommits.describe(commit, channel.size()), pieceBytes,
                    files.descriptorBlock());
        });
        if (InterruptedCommits.settle(channel, NAME, commit, told.stream().map(Opening::interrupted).toList())) {
            told = Opening.exchange(channel, NAME, () -> new Opening("", pieceBytes, files.descriptorBlock()));
        }
        pieceBytes = Opening.leastPieceBytes(told);
        return told;
    }

    private List<Optional<DescriptorFile>> descriptors(List<Opening> told) {
        List<Optional<DescriptorFile>> descriptors = new ArrayList<>();
        try {
            for (Opening opening : told) {
                descriptors.add(opening.content().length == 0
                        ? Optional.empty()
                        : Optional.of(DescriptorFile.read(KvTreeBlock.decode(opening.content()).tree())));
            }
        } catch (IOException impossible) {
            throw new IllegalStateException("every rank tells of a descriptor file that it has read itself",
                    impossible);
        }
        return descriptors;
    }

    /**
     * Rebuilds what a survey says, and compares contents if that was not done.
     *
     * @return a survey of more losses, when contents show any: nothing was replaced then
     */
    private @Nullable SetSurvey attempt(OwnMember own, SurveyExchange.Survey survey, ErasureKernel kernel,
            boolean checked) {
        Verdict.requireRecoverable(survey.verdicts());
        SetDescription set = survey.own().description();
        if (set == null) {
            throw new IllegalStateException("a set that is not described can't be rebuilt");
        }
        try (FileTransaction transaction = new FileTransaction(files.operations())) {
            Begun begun = begin(own, set, survey, transaction);
            SetSurvey further = rebuild(own, survey.own(), begun, kernel, checked);
            if (further != null) {
                return further;
            }
            if (survey.verdicts().stream().anyMatch(Verdict::needsWriting)) {
                channel.localStep(NAME, transaction::publish);
            }
            if (begun.lost().isEmpty() && rebuildsBesides(survey, set)) {
                MemberMetadata.restore(files.operations(), set.member(own.rank()), begun.location());
            }
        }
        recovery = Verdict.recovery(survey.verdicts());
        if (channel.rank() == 0 && !recovery.unverifiedRanks().isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "no checksums are recorded for ranks {0}: their contents are trusted, as "
                    + "redset does", recovery.unverifiedRanks());
        }
        return null;
    }

    /**
     * Whether others are rebuilt with whom this rank goes: as redset has it, those of its set, but all with PARTNER.
     */
    private static boolean rebuildsBesides(SurveyExchange.Survey survey, SetDescription set) {
        return set.scheme() instanceof Scheme.Partner
                ? survey.verdicts().stream().anyMatch(Verdict::missing)
                : !survey.own().missing().isEmpty();
    }

    private Begun begin(OwnMember own, SetDescription set, SurveyExchange.Survey survey, FileTransaction transaction) {
        List<Begun> begun = new ArrayList<>();
        channel.localStep(NAME, () -> {
            MemberLocation location = files.locate(set.member(own.rank()));
            begun.add(new Begun(set, location, new ArrayList<>()));
            if (survey.own().missing().get(own.rank())) {
                begun.get(0).lost().add(
                        new MemberRebuild(transaction, set, own.rank(), location, survey.own().checksums()));
            } else if (survey.rewrites()) {
                SmallFiles.write(transaction, set, own.rank(), location, survey.own().checksums());
            }
        });
        return begun.get(0);
    }

    /**
     * Rebuilds what is missing in the set, and brings it to the disk if nobody has lost more.
     *
     * @return a survey of more losses, or null when there are none or contents were compared before
     */
    private @Nullable SetSurvey rebuild(OwnMember own, SetSurvey survey, Begun begun, ErasureKernel kernel,
            boolean checked) {
        PiecePlan plan = PiecePlan.of(Strands.rebuild(begun.set(), survey.missing()), own.members().size(), own.rank(),
                pieceBytes);
        RankChecksums expected = checked || survey.missing().get(own.rank())
                ? null
                : survey.checksums().get(own.rank());
        List<SetSurvey> further = new ArrayList<>();
        channel.step(NAME, () -> {
            PostponedFailure failure = new PostponedFailure();
            String loss = failure.attempt(() -> exchange(own, begun, plan, kernel, expected)).orElse("");
            long[] nobody = {loss.isEmpty() ? 1 : 0, failure.isThere() ? 0 : 1};
            channel.least(nobody);
            if (nobody[0] == 0) {
                further.add(survey.with(tellLosses(own, loss)));
            }
            failure.throwIfAny();
            // Where somebody could not read or write, what was rebuilt is of no use.
            if (nobody[0] == 1 && nobody[1] == 1) {
                for (MemberRebuild each : begun.lost()) {
                    each.finish();
                }
            }
        });
        return further.isEmpty() ? null : further.get(0);
    }

    /** Exchanges pieces, and says what the own contents have lost. */
    private String exchange(OwnMember own, Begun begun, PiecePlan plan, ErasureKernel kernel,
            @Nullable RankChecksums expected)
            throws IOException {
        MemberWriter writer = begun.lost().isEmpty() ? NOTHING_TO_WRITE : begun.lost().get(0);
        try (var _ = new AccessTimes(files.operations(), begun.location().files());
                MemberReader reader = new MemberReader(files.operations(), begun.set().member(own.rank()),
                        begun.location())) {
            try {
                new PieceExchange(channel, own.members(), plan, kernel, reader, writer).run();
            } catch (IOException failure) {
                if (expected == null || !reader.hasFailed()) {
                    throw failure;
                }
                // What can't be read is lost; the others have got messages of no use, and begin anew.
                return String.valueOf(failure.getMessage());
            }
            return expected == null || own.found() == null
                    ? ""
                    : String.join(", ", MemberCheck.contents(files.operations(), own.found().header(),
                            own.found().block().length, begun.location(), expected, reader));
        }
    }

    /** What contents have shown, by rank in the set. Called by all members in a part. */
    private SortedMap<Integer, String> tellLosses(OwnMember own, String loss) {
        List<byte[]> told = own.members().gather(channel, loss.getBytes(StandardCharsets.UTF_8));
        SortedMap<Integer, String> losses = new TreeMap<>();
        for (int rank = 0; rank < told.size(); rank++) {
            if (told.get(rank).length > 0) {
                losses.put(rank, new String(told.get(rank), StandardCharsets.UTF_8));
            }
        }
        return losses;
    }
}

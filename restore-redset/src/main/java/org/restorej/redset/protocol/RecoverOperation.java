package org.restorej.redset.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.coding.ChecksumFiles;
import org.restorej.redset.coding.MemberCheck;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.coding.MemberReader;
import org.restorej.redset.coding.MemberRebuild;
import org.restorej.redset.coding.MemberWriter;
import org.restorej.redset.coding.SmallFiles;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.files.FileTransaction;
import org.restorej.redset.format.Descriptor;
import org.restorej.redset.format.DescriptorFile;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.SetDescription;

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
    private Recovery recovery = new Recovery(Collections.emptySortedSet(), Collections.emptySortedSet());

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

    /** What is known of the own rank and its set. */
    private record Own(Descriptor place, SetMembers members, RankFiles.@Nullable FoundHeader found) {
        int rank() {
            return members.rank();
        }
    }

    /** What is being rebuilt of the own rank, under other names. */
    private record Begun(SetDescription set, MemberLocation location, List<MemberRebuild> lost) {}

    /**
     * Runs it. Called by all ranks. Contents are compared with checksums while they are read to rebuild others; when that
     * shows that more is lost, it begins anew.
     *
     * @param kernels gives the arithmetic, or says why it can't
     * @throws IrrecoverableFilesException when more is lost than some set can bear
     */
    public Recovery run(Supplier<ErasureKernel> kernels) {
        List<ErasureKernel> kernel = new ArrayList<>();
        channel.localStep(NAME, () -> {
            kernel.add(kernels.get());
            files.refuseScrFiles();
        });
        InterruptedCommits.settle(channel, NAME, files.commit(), true);
        DescriptorBook book = DescriptorBook.of(readDescriptors());
        Descriptor place = book.places().get(channel.rank());
        Own own = new Own(place, book.membersOf(channel.rank()), files.header(place));
        SetSurvey byPresence = surveyPresence(own);
        SetSurvey byContents = attempt(own, byPresence, kernel.get(0), false);
        if (byContents != null) {
            attempt(own, byContents, kernel.get(0), true);
        }
        return recovery;
    }

    /**
     * Rebuilds what a survey says, and compares contents if that was not done.
     *
     * @return a survey of more losses, when contents show any: nothing was replaced then
     */
    private @Nullable SetSurvey attempt(Own own, SetSurvey survey, ErasureKernel kernel, boolean checked) {
        boolean rewrites = smallFilesAreDamaged(survey, own.rank());
        List<Verdict> verdicts = tell(Verdict.of(survey, own.members(), own.place(), rewrites));
        Verdict.requireRecoverable(verdicts);
        SetDescription set = survey.description();
        if (set == null) {
            throw new IllegalStateException("a set that is not described can't be rebuilt");
        }
        boolean writes = verdicts.stream().anyMatch(Verdict::needsWriting);
        try (FileTransaction transaction = new FileTransaction(files.operations())) {
            Begun begun = begin(own, set, survey, rewrites, transaction);
            String loss = exchange(own, survey, begun, kernel, checked);
            if (!checked) {
                SetSurvey further = tellLosses(own, survey, loss);
                if (further != null) {
                    return further;
                }
            }
            if (writes) {
                channel.localStep(NAME, () -> {
                    for (MemberRebuild each : begun.lost()) {
                        each.finish();
                    }
                });
                channel.localStep(NAME, transaction::publish);
            }
        }
        recovery = Verdict.recovery(verdicts);
        if (channel.rank() == 0 && !recovery.unverifiedRanks().isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "no checksums are recorded for ranks {0}: their contents are trusted, as "
                    + "redset does", recovery.unverifiedRanks());
        }
        return null;
    }

    private List<Verdict> tell(Verdict mine) {
        List<Verdict> verdicts = new ArrayList<>();
        channel.step(NAME, () -> {
            for (byte[] told : channel.allGather(mine.encode())) {
                verdicts.add(Verdict.decode(told));
            }
        });
        return verdicts;
    }

    private List<Optional<DescriptorFile>> readDescriptors() {
        List<Optional<DescriptorFile>> read = new ArrayList<>();
        channel.step(NAME, () -> {
            pieceBytes = channel.least(pieceBytes);
            for (byte[] block : channel.allGather(files.descriptorBlock())) {
                read.add(block.length == 0
                        ? Optional.empty()
                        : Optional.of(DescriptorFile.read(KvTreeBlock.decode(block).tree())));
            }
        });
        return read;
    }

    /** Looks at names and sizes, and tells the members of the set. */
    private SetSurvey surveyPresence(Own own) {
        List<SetSurvey> surveys = new ArrayList<>();
        channel.step(NAME, () -> {
            List<MemberReport> reports = new ArrayList<>();
            for (byte[] report : own.members().gather(channel, report(own.found()).encode())) {
                reports.add(MemberReport.decode(report));
            }
            surveys.add(SetSurvey.of(reports));
        });
        return surveys.get(0);
    }

    /** Tells the members of the set what contents have shown; returns null when no rank of any set has lost more. */
    private @Nullable SetSurvey tellLosses(Own own, SetSurvey survey, String loss) {
        SortedMap<Integer, String> losses = new TreeMap<>();
        long[] nobodyLostMore = new long[1];
        channel.step(NAME, () -> {
            nobodyLostMore[0] = channel.least(loss.isEmpty() ? 1 : 0);
            List<byte[]> told = own.members().gather(channel, loss.getBytes(StandardCharsets.UTF_8));
            for (int rank = 0; rank < told.size(); rank++) {
                if (told.get(rank).length > 0) {
                    losses.put(rank, new String(told.get(rank), StandardCharsets.UTF_8));
                }
            }
        });
        return nobodyLostMore[0] == 1 ? null : survey.with(losses);
    }

    private MemberReport report(RankFiles.@Nullable FoundHeader found) {
        if (found == null) {
            return new MemberReport(new byte[0], new byte[0], List.of());
        }
        try {
            MemberLocation location = files.locate(found.header().own());
            List<String> losses = MemberCheck.presence(found.header(), found.block().length, location);
            return new MemberReport(found.block(), files.readIfThere(location.checksums()), losses);
        } catch (IOException notAName) {
            return new MemberReport(found.block(), new byte[0], List.of(String.valueOf(notAName.getMessage())));
        }
    }

    /** Whether a member that has lost nothing else lacks its descriptor file or checksums that are known. */
    private boolean smallFilesAreDamaged(SetSurvey survey, int rank) {
        SetDescription set = survey.description();
        if (set == null || survey.missing().get(rank)) {
            return false;
        }
        byte[] descriptor = KvTreeBlock.encode(set.descriptorFile(rank).toTree());
        if (!Arrays.equals(descriptor, files.readIfThere(files.descriptorPath()))) {
            return true;
        }
        if (!survey.checksums().keySet().containsAll(set.selfAndLeftNeighbours(rank))) {
            return false;
        }
        try {
            byte[] checksums = KvTreeBlock.encode(ChecksumFiles.of(set, rank, survey::checksumsOf).toTree());
            return !Arrays.equals(checksums, files.readIfThere(files.locate(set.member(rank)).checksums()));
        } catch (IOException notAName) {
            return false;
        }
    }

    private Begun begin(Own own, SetDescription set, SetSurvey survey, boolean rewrites, FileTransaction transaction) {
        List<Begun> begun = new ArrayList<>();
        channel.localStep(NAME, () -> {
            MemberLocation location = files.locate(set.member(own.rank()));
            begun.add(new Begun(set, location, new ArrayList<>()));
            if (survey.missing().get(own.rank())) {
                begun.get(0).lost().add(new MemberRebuild(transaction, set, own.rank(), location, survey.checksums()));
            } else if (rewrites) {
                SmallFiles.write(transaction, set, own.rank(), location, survey.checksums());
            }
        });
        return begun.get(0);
    }

    /** Rebuilds what is missing in the set, and says what the own contents have lost. */
    private String exchange(Own own, SetSurvey survey, Begun begun, ErasureKernel kernel, boolean checked) {
        PiecePlan plan = PiecePlan.of(Strands.rebuild(begun.set(), survey.missing()), own.members().size(), own.rank(),
                pieceBytes);
        MemberWriter writer = begun.lost().isEmpty() ? NOTHING_TO_WRITE : begun.lost().get(0);
        RankChecksums expected = checked || survey.missing().get(own.rank())
                ? null
                : survey.checksums().get(own.rank());
        String[] loss = {""};
        channel.step(NAME, () -> {
            try (MemberReader reader = new MemberReader(files.operations(), begun.set().member(own.rank()),
                    begun.location())) {
                try {
                    new PieceExchange(channel, own.members(), plan, kernel, reader, writer).run();
                } catch (IOException failure) {
                    if (expected == null || !reader.hasFailed()) {
                        throw failure;
                    }
                    // What can't be read is lost; the others have got messages of no use, and begin anew.
                    loss[0] = String.valueOf(failure.getMessage());
                }
                if (expected != null && own.found() != null && loss[0].isEmpty()) {
                    loss[0] = String.join(", ", MemberCheck.contents(files.operations(), own.found().header(),
                            own.found().block().length, begun.location(), expected, reader));
                }
            }
        });
        return loss[0];
    }
}

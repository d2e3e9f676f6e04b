package org.restorej.redset.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private final ErasureKernel kernel;
    private long pieceBytes;

    /**
     * An operation.
     *
     * @param files of this rank
     * @param kernel the arithmetic
     * @param pieceBytes most bytes of a piece; the least of all ranks counts
     */
    public RecoverOperation(RedsetChannel channel, RankFiles files, ErasureKernel kernel, long pieceBytes) {
        this.channel = channel;
        this.files = files;
        this.kernel = kernel;
        this.pieceBytes = pieceBytes;
    }

    /**
     * Runs it. Called by all ranks.
     *
     * @throws IrrecoverableFilesException when more is lost than some set can bear
     */
    public Recovery run() {
        DescriptorBook book = DescriptorBook.of(readDescriptors());
        Descriptor own = book.places().get(channel.rank());
        SetMembers members = book.membersOf(channel.rank());
        SetSurvey survey = survey(own, members);
        boolean rewrites = smallFilesAreDamaged(survey, members.rank());
        List<Verdict> verdicts = new ArrayList<>();
        Verdict mine = Verdict.of(survey, members, own, rewrites);
        channel.step(NAME, () -> {
            for (byte[] told : channel.allGather(mine.encode())) {
                verdicts.add(Verdict.decode(told));
            }
        });
        Verdict.requireRecoverable(verdicts);
        SetDescription set = survey.description();
        if (set != null && verdicts.stream().anyMatch(Verdict::needsWriting)) {
            try (FileTransaction transaction = new FileTransaction(files.operations())) {
                rebuild(members, set, survey, rewrites, transaction);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        Recovery recovery = Verdict.recovery(verdicts);
        if (channel.rank() == 0 && !recovery.unverifiedRanks().isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "no checksums are recorded for ranks {0}: their contents are trusted, as "
                    + "redset does", recovery.unverifiedRanks());
        }
        return recovery;
    }

    private List<Optional<DescriptorFile>> readDescriptors() {
        channel.step(NAME, files::refuseScrFiles);
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

    /** Looks at names, sizes and contents, and tells the members of the set. */
    private SetSurvey survey(Descriptor own, SetMembers members) {
        RankFiles.FoundHeader found = files.header(own);
        List<MemberReport> reports = new ArrayList<>();
        List<SetSurvey> surveys = new ArrayList<>();
        channel.step(NAME, () -> {
            for (byte[] report : members.gather(channel, report(found).encode())) {
                reports.add(MemberReport.decode(report));
            }
            surveys.add(SetSurvey.of(reports));
        });
        SetSurvey byPresence = surveys.get(0);
        String further = contentLosses(byPresence, members.rank(), found);
        SortedMap<Integer, String> losses = new TreeMap<>();
        channel.step(NAME, () -> {
            List<byte[]> told = members.gather(channel, further.getBytes(StandardCharsets.UTF_8));
            for (int rank = 0; rank < told.size(); rank++) {
                if (told.get(rank).length > 0) {
                    losses.put(rank, new String(told.get(rank), StandardCharsets.UTF_8));
                }
            }
        });
        return byPresence.with(losses);
    }

    private MemberReport report(RankFiles.@Nullable FoundHeader found) {
        if (found == null) {
            return new MemberReport(new byte[0], new byte[0], List.of());
        }
        try {
            MemberLocation location = files.locate(found.header().own());
            List<String> losses = MemberCheck.presence(found.header(), found.block().length, location);
            return new MemberReport(found.block(), RankFiles.readIfThere(location.checksums()), losses);
        } catch (IOException notAName) {
            return new MemberReport(found.block(), new byte[0], List.of(String.valueOf(notAName.getMessage())));
        }
    }

    private String contentLosses(SetSurvey survey, int rank, RankFiles.@Nullable FoundHeader found) {
        RankChecksums expected = survey.checksums().get(rank);
        if (found == null || expected == null || survey.missing().get(rank)) {
            return "";
        }
        try {
            return String.join(", ", MemberCheck.contents(files.operations(), found.header(), found.block().length,
                    files.locate(found.header().own()), expected));
        } catch (IOException notAName) {
            return String.valueOf(notAName.getMessage());
        }
    }

    /** Whether a member that has lost nothing else lacks its descriptor file or checksums that are known. */
    private boolean smallFilesAreDamaged(SetSurvey survey, int rank) {
        SetDescription set = survey.description();
        if (set == null || survey.missing().get(rank)) {
            return false;
        }
        byte[] descriptor = KvTreeBlock.encode(set.descriptorFile(rank).toTree());
        if (!Arrays.equals(descriptor, RankFiles.readIfThere(files.descriptorPath()))) {
            return true;
        }
        if (!survey.checksums().keySet().containsAll(set.selfAndLeftNeighbours(rank))) {
            return false;
        }
        try {
            byte[] checksums = KvTreeBlock.encode(ChecksumFiles.of(set, rank, survey::checksumsOf).toTree());
            return !Arrays.equals(checksums, RankFiles.readIfThere(files.locate(set.member(rank)).checksums()));
        } catch (IOException notAName) {
            return false;
        }
    }

    private void rebuild(SetMembers members, SetDescription set, SetSurvey survey, boolean rewrites,
            FileTransaction transaction) throws IOException {
        int rank = members.rank();
        List<MemberRebuild> lost = new ArrayList<>();
        List<MemberLocation> locations = new ArrayList<>();
        channel.step(NAME, () -> {
            MemberLocation location = files.locate(set.member(rank));
            locations.add(location);
            if (survey.missing().get(rank)) {
                lost.add(new MemberRebuild(transaction, set, rank, location, survey.checksums()));
            } else if (rewrites) {
                SmallFiles.write(transaction, set, rank, location, survey.checksums());
            }
        });
        MemberWriter writer = lost.isEmpty() ? NOTHING_TO_WRITE : lost.get(0);
        PiecePlan plan = PiecePlan.of(Strands.rebuild(set, survey.missing()), members.size(), rank, pieceBytes);
        try (MemberReader reader = new MemberReader(files.operations(), set.member(rank), locations.get(0))) {
            channel.step(NAME, () -> {
                new PieceExchange(channel, members, plan, kernel, reader, writer).run();
                for (MemberRebuild each : lost) {
                    each.finish();
                }
            });
        }
        channel.step(NAME, transaction::publish);
    }
}

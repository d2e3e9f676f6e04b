package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.protocol.InterruptedCommits.StartMessage;
import org.restorej.redset.internal.coding.MemberBytes;
import org.restorej.redset.internal.coding.OpenFiles;
import org.restorej.redset.internal.coding.ReductionChain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedsetException;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.coding.RedundancyFile;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.protocol.RankFiles.PresentFiles;
import org.restorej.redset.internal.sets.ProtectionSettings;
import org.restorej.redset.internal.sets.RankPlaces;

/**
 * Protects the files of all ranks. New files replace old ones after those of all ranks are complete on the disk. If a
 * file can't get its name, or a process fails before all ranks have agreed that all files have theirs, the survivors
 * move the old ones back. If all ranks are killed at once, the next operation in the same directories completes the
 * commit or rolls it back ({@link FileCommit}).
 */
public final class EncodeOperation {
    private static final System.Logger LOG = System.getLogger(EncodeOperation.class.getName());
    private static final byte[] NOTHING = {};

    private final String operation;
    private final RedsetChannel channel;
    private final RankFiles files;
    private final JobLocks locks;
    private final FileCommit commit;
    private final long maxPieceBytes;

    /**
     * Prepares an operation; changes nothing.
     *
     * @param operation its name, for messages
     * @param files of this rank
     * @param locks exclude other jobs from these files; remain the caller's
     * @param maxPieceBytes maximum bytes of a piece; the minimum over all ranks counts
     */
    public EncodeOperation(String operation, RedsetChannel channel, RankFiles files, JobLocks locks,
            long maxPieceBytes) {
        this.operation = operation;
        this.channel = channel;
        this.files = files;
        this.locks = locks;
        this.commit = files.commit();
        this.maxPieceBytes = maxPieceBytes;
    }

    /** Values that are equal on all ranks. */
    private record Agreed(RankPlaces places, long pieceBytes, UUID commit) {}

    /**
     * The process's own set, and the started redundancy file of this rank.
     *
     * @param present the application's files
     * @param former files of an earlier encoding, with other sets or another scheme, which will protect nothing any more
     */
    private record OwnSet(SetMembers members, int rank, SetDescription description, MemberLocation location,
            PresentFiles present, List<Path> former, RedundancyFile redundancy) {}

    /**
     * Protects files. Collective.
     *
     * @param subject what is protected, which must be the same on all ranks, for messages
     * @param settings of the protection
     * @param kernel supplies the arithmetic, or throws an exception if it can't; called if the scheme computes
     * @param paths supplies the files of this rank, or throws an {@link IllegalArgumentException}
     * @throws IllegalArgumentException on all ranks if an argument of one of them is invalid
     */
    public void run(String subject, ProtectionSettings settings, Supplier<ErasureKernel> kernel,
            Supplier<@Nullable List<Path>> paths) {
        AtomicReference<PresentFiles> present = new AtomicReference<>();
        List<StartMessage> told = StartMessage.exchange(channel, operation, locks, () -> {
            present.set(files.record(paths.get()));
            return new StartMessage(InterruptedCommits.describe(commit), maxPieceBytes,
                    KvTree.builder().put("COMMIT", PendingFile.uniqueId().toString()).putText("SUBJECT", subject)
                            .put("SETTINGS", settings.toTree()).build());
        });
        Agreed agreed = agree(settings, told);
        InterruptedCommits.requireOwn(channel, operation, commit, told);
        InterruptedCommits.settle(channel, operation, commit, told);
        settings.warnOf(agreed.places().placeOf(channel.rank()));
        try (commit) {
            OwnSet set = begin(agreed.places(), present.get(), kernel);
            encode(set, kernel, agreed);
            channel.stepOfEverybody(operation, commit::complete);
        } catch (RedsetException failure) {
            abortTogether(failure);
            throw failure;
        } catch (RuntimeException | Error failure) {
            abortAlone(failure);
            throw failure;
        }
        end();
    }

    private static Agreed agree(ProtectionSettings settings, List<StartMessage> told) {
        try {
            List<KvTree> wishes = new ArrayList<>();
            String first = new TreeFields("proposal", told.getFirst().content()).longText("SUBJECT");
            for (StartMessage opening : told) {
                TreeFields proposal = new TreeFields("proposal", opening.content());
                String subject = proposal.longText("SUBJECT");
                if (!subject.equals(first)) {
                    throw new IllegalArgumentException("all ranks must protect the same: rank 0 " + first + ", rank "
                            + wishes.size() + " " + subject);
                }
                wishes.add(proposal.child("SETTINGS").tree());
            }
            // The id of rank 0.
            String commit = new TreeFields("proposal", told.getFirst().content()).text("COMMIT");
            return new Agreed(settings.places(wishes), StartMessage.minPieceBytes(told), UUID.fromString(commit));
        } catch (FormatException impossible) {
            throw new IllegalStateException("every rank tells what it has written itself", impossible);
        }
    }

    /**
     * Exchanges the descriptions of files with the members of the set, and creates the redundancy file under a
     * temporary name.
     */
    private OwnSet begin(RankPlaces places, PresentFiles present, Supplier<ErasureKernel> kernel) {
        Descriptor own = places.placeOf(channel.rank());
        List<Integer> ranks = places.membersOf(channel.rank());
        SetMembers members = new SetMembers(ranks, ranks, channel.rank());
        return channel.compute(operation, () -> {
            PostponedFailure failure = new PostponedFailure();
            Optional<OwnRecord> mine = failure.attemptLocally(() -> {
                // Not before it is known that all ranks protect the same.
                files.operations().createDirectories(files.directory().toAbsolutePath());
                locks.take();
                if (own.scheme() instanceof Scheme.Coded) {
                    // If there is none, all ranks learn that here.
                    ErasureKernel _ = kernel.get();
                }
                RankRecord record = new RankRecord(own, present.records());
                KvTree tree = record.toTree();
                return new OwnRecord(record, tree,
                        requireReadable(present.records().size(), () -> KvTreeBlock.encode(tree)));
            });
            List<byte[]> told = members.gather(channel, mine.map(OwnRecord::block).orElse(NOTHING));
            Optional<OwnSet> begun = isComplete(told)
                    ? failure.attemptLocally(() -> begin(members, mine.orElseThrow(), told, present))
                    : Optional.empty();
            failure.throwIfAny();
            return begun;
        }).orElseThrow();
    }

    /** This rank's description, as the others get it. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record OwnRecord(RankRecord record, KvTree tree, byte[] block) {}

    private OwnSet begin(SetMembers members, OwnRecord own, List<byte[]> told, PresentFiles present)
            throws IOException {
        int rank = own.record().descriptor().rank();
        List<KvTree> trees = new ArrayList<>();
        List<RankRecord> described = new ArrayList<>();
        for (int member = 0; member < told.size(); member++) {
            trees.add(member == rank ? own.tree() : KvTreeBlock.decode(told.get(member)).tree());
            described.add(member == rank ? own.record() : RankRecord.read(trees.getLast()));
        }
        SetDescription set = new SetDescription(described);
        MemberLocation location = files.locate(set.member(rank).descriptor(), present);
        List<Path> entries = DirectoryEntries.of(files.directory());
        commit.removeLeftovers(entries);
        byte[] header = requireReadable(location.files().size(),
                () -> KvTreeBlock.encode(set.header(rank).toTree(trees::get)));
        return new OwnSet(members, rank, set, location, present, formerFiles(entries, location),
                new RedundancyFile(commit, set, rank, header, location));
    }

    /** Whether every member has sent a message. One that has not has failed. */
    private static boolean isComplete(List<byte[]> told) {
        return told.stream().noneMatch(content -> content.length == 0);
    }

    /** Throws a better message if a description is too long. */
    private static byte[] requireReadable(int files, Supplier<byte[]> description) {
        try {
            return description.get();
        } catch (IllegalArgumentException tooLong) {
            throw new IllegalArgumentException(
                    "the names of a rank's files and those of its neighbours must be fewer or "
                            + "shorter: paths.size=" + files + ": " + tooLong.getMessage(),
                    tooLong);
        }
    }

    /** Writes everything to the disk under temporary names, then the journal. */
    private void encode(OwnSet set, Supplier<ErasureKernel> kernel, Agreed agreed) {
        int rank = set.rank();
        List<ReductionChain> chains = ReductionChains.encode(set.description());
        channel.stepOfEverybody(operation, () -> {
            PostponedFailure failure = new PostponedFailure();
            byte[] own = failure.attempt(() -> exchange(set, chains, kernel, agreed)).map(
                    checksums -> KvTreeBlock
                            .encode(new ChecksumFile(rank, new TreeMap<>(Map.of(rank, checksums))).toTree()))
                    .orElse(NOTHING);
            List<byte[]> told = set.members().gather(channel, own);
            failure.throwIfAny();
            if (isComplete(told)) {
                SmallFiles.write(commit, set.description(), rank, set.location(), decode(told));
                for (Path directory : set.present().directories()) {
                    files.operations().forceDirectory(directory);
                }
                commit.stage(agreed.commit(), channel.size(), set.former());
            }
        });
    }

    private RankChecksums exchange(OwnSet set, List<ReductionChain> chains, Supplier<ErasureKernel> kernel,
            Agreed agreed) throws IOException {
        int rank = set.rank();
        try (OpenFiles open = new OpenFiles(files.operations())) {
            MemberBytes own = MemberBytes.encoded(open, set.description().member(rank), set.location(),
                    set.redundancy());
            @Nullable
            MemberBytes[] members = new MemberBytes[set.members().size()];
            members[rank] = own;
            set.members().pieceLoop(channel, kernel, chains, members, agreed.pieceBytes(), written -> {}).run();
            set.redundancy().finish();
            // Once the application's files count as protected, the previously protected ones may be deleted.
            own.forceFiles();
            set.present().requireUnchanged();
            return set.redundancy().checksums(own);
        }
    }

    private static Map<Integer, RankChecksums> decode(List<byte[]> told) throws IOException {
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        for (byte[] block : told) {
            checksums.putAll(ChecksumFile.decode(block).byRank());
        }
        return checksums;
    }

    private List<Path> formerFiles(List<Path> entries, MemberLocation current) {
        List<Path> former = files.protectingFiles(entries);
        former.removeAll(List.of(current.redundancy(), current.descriptor(), current.checksums()));
        return former;
    }

    /** Rolls back the commit on all ranks, if none has failed. */
    private void abortTogether(RedsetException failure) {
        try {
            channel.stepOfEverybody(operation, commit::abort);
            end();
        } catch (RuntimeException again) {
            failure.addSuppressed(again);
        }
    }

    /**
     * Rolls back the commit on this rank. Keeps the journal: if the disks of failed ranks return, it tells them the
     * outcome.
     */
    private void abortAlone(Throwable failure) {
        try {
            commit.abort();
        } catch (IOException again) {
            failure.addSuppressed(again);
        }
    }

    private void end() {
        try {
            commit.end();
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "files of a former encoding can''t be removed: {0}",
                    Objects.toString(failure.getMessage()));
        }
    }
}

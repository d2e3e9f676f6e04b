package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.protocol.InterruptedCommits.StartMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.sets.RankPlaces;

/**
 * Finds the lost files of ranks and rebuilds them. Files are replaced only after the rebuilt files of all sets are
 * complete on the disk. If a set has lost more than its scheme can rebuild, nothing is written.
 */
public final class RecoverOperation {
    private static final System.Logger LOG = System.getLogger(RecoverOperation.class.getName());
    private static final String NAME = "recover";

    private final RedsetChannel channel;
    private final List<RankFiles> directories;
    /** The directory of this rank's own files. */
    private RankFiles home;
    private long pieceBytes;
    private final JobLocks locks;
    private final boolean verifies;

    /**
     * Prepares an operation; changes nothing.
     *
     * @param directories directories that this process searches, as of its own rank; its own directory first
     * @param locks exclude other jobs from them; remain the caller's
     * @param pieceBytes maximum bytes of a piece; the minimum over all ranks counts
     * @param verifies whether everything that is there is read to find damage; the same on all ranks
     */
    public RecoverOperation(RedsetChannel channel, List<RankFiles> directories, JobLocks locks,
            long pieceBytes, boolean verifies) {
        this.channel = channel;
        this.directories = List.copyOf(directories);
        home = directories.getFirst();
        this.locks = locks;
        this.pieceBytes = pieceBytes;
        this.verifies = verifies;
    }

    /**
     * The result of a recovery.
     *
     * @param statuses by rank with protected files: the state before the rebuild; the same on all
     * @param files the data files of the ranks that this process has acted for
     */
    public record Outcome(List<RankStatus> statuses, SortedMap<Integer, List<Path>> files) {
        /** Copies the collections. */
        public Outcome {
            statuses = List.copyOf(statuses);
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        }
    }

    /**
     * Recovers files. Collective. Contents are compared with checksums while they are read to rebuild others, and so
     * are the rebuilt ones. If any is wrong, everything is read to find the damage, and the rebuild starts again. If
     * contents lack checksums, the remaining redundancy is compared too. If it disagrees, it is unknown which content
     * is right.
     *
     * @param kernel supplies the arithmetic, or throws an exception if it can't; called if a scheme computes
     * @throws IrrecoverableFilesException if a set has lost more than its scheme can rebuild
     */
    public Outcome run(Supplier<ErasureKernel> kernel) {
        List<StartMessage> told = open();
        List<Optional<DescriptorFile>> descriptors = told.stream().map(RecoverOperation::descriptorFile).toList();
        boolean areOfAsMany = descriptors.stream().flatMap(Optional::stream)
                .flatMap(file -> file.byWorldRank().values().stream())
                .allMatch(place -> place.worldRanks() == channel.size());
        if (areOfAsMany && descriptors.stream().anyMatch(Optional::isPresent)) {
            try {
                return recover(MemberOwners.eachItsOwn(RankPlaces.of(descriptors), channel.rank(), home),
                        kernel);
            } catch (IrrecoverableFilesException lost) {
                return recoverElsewhere(kernel, lost);
            }
        }
        return recover(MemberOwners.bySight(channel, directories), kernel);
    }

    private static Optional<DescriptorFile> descriptorFile(StartMessage told) {
        try {
            return told.content().isEmpty() ? Optional.empty() : Optional.of(DescriptorFile.read(told.content()));
        } catch (FormatException impossible) {
            throw new IllegalStateException("every rank tells of a descriptor file that it has read itself",
                    impossible);
        }
    }

    /** Recovers files of ranks that are now on other nodes than before. */
    private Outcome recoverElsewhere(Supplier<ErasureKernel> kernel, IrrecoverableFilesException lost) {
        try {
            MemberOwners owners = MemberOwners.bySight(channel, directories);
            if (!owners.isEachItsOwn()) {
                return recover(owners, kernel);
            }
        } catch (IrrecoverableFilesException also) {
            lost.addSuppressed(also);
        }
        throw lost;
    }

    /** Ends an interrupted commit, and searches for the files that exist then. */
    private List<StartMessage> open() {
        FileCommit commit = home.commit();
        List<StartMessage> told = StartMessage.exchange(channel, NAME, locks,
                () -> start(InterruptedCommits.describe(commit, channel.size())));
        if (InterruptedCommits.settle(channel, NAME, commit, told)) {
            told = StartMessage.exchange(channel, NAME, locks, () -> start(""));
        }
        pieceBytes = StartMessage.minPieceBytes(told);
        return told;
    }

    private StartMessage start(String interrupted) throws IOException {
        for (RankFiles directory : directories.reversed()) {
            home = directory.descriptorFile() == null ? home : directory;
        }
        DescriptorFile descriptor = home.descriptorFile();
        return new StartMessage(interrupted, pieceBytes, descriptor == null ? KvTree.EMPTY : descriptor.toTree());
    }

    private Outcome recover(MemberOwners owners, Supplier<ErasureKernel> kernel) {
        List<SetRecovery> sets = channel.computeLocally(NAME, () -> setsOf(owners));
        if (verifies) {
            sets.forEach(SetRecovery::readEverything);
        }
        List<RankStatus> statuses = channel.compute(NAME, () -> {
            PostponedFailure failure = new PostponedFailure();
            sets.forEach(set -> set.survey(failure));
            List<RankStatus> all = tell(sets);
            failure.throwIfAny();
            return all;
        });
        boolean done = attempt(sets, statuses, kernel);
        while (!done) {
            // Terminates: each time one more member is lost, or a set disagrees and can't be rebuilt, or everything is
            // read for the first time.
            sets.forEach(SetRecovery::readEverything);
            statuses = channel.compute(NAME, () -> tell(sets));
            done = attempt(sets, statuses, kernel);
        }
        SortedSet<Integer> unverified = RankStatus.ranksOf(statuses, status -> !status.verified());
        if (channel.rank() == 0 && !unverified.isEmpty()) {
            LOG.log(System.Logger.Level.INFO, "no checksums are recorded for ranks {0}: their contents are trusted, as "
                    + "redset does", unverified);
        }
        SortedMap<Integer, List<Path>> files = new TreeMap<>();
        sets.forEach(set -> set.addFiles(files));
        return new Outcome(statuses, files);
    }

    /** The sets with members that this process acts for, in the order of the sets. */
    private List<SetRecovery> setsOf(MemberOwners owners) throws IOException {
        SortedMap<Integer, SortedMap<Integer, OwnMember>> byGroup = new TreeMap<>();
        SortedMap<Integer, SetMembers> members = new TreeMap<>();
        for (Map.Entry<Integer, RankFiles> own : owners.own().entrySet()) {
            Descriptor place = owners.places().placeOf(own.getKey());
            List<Integer> worldRanks = owners.places().membersOf(own.getKey());
            members.put(place.group(), new SetMembers(worldRanks,
                    worldRanks.stream().map(owners.owners()::get).toList(), channel.rank()));
            byGroup.computeIfAbsent(place.group(), first -> new TreeMap<>()).put(place.rank(),
                    new OwnMember(place, own.getValue(), own.getValue().header(place),
                            owners.unseen().get(own.getKey())));
        }
        List<SetRecovery> sets = new ArrayList<>();
        members.forEach((group, ofSet) -> sets.add(new SetRecovery(channel, ofSet,
                Objects.requireNonNull(byGroup.get(group)))));
        return sets;
    }

    /**
     * Exchanges the results of surveys of all ranks; there are fewer if a process has failed. Collective, inside a
     * step.
     */
    private List<RankStatus> tell(List<SetRecovery> sets) throws FormatException {
        KvTree.Builder own = KvTree.builder();
        sets.forEach(set -> set.tell(own));
        SortedMap<Integer, RankStatus> statuses = new TreeMap<>();
        for (KvTree told : channel.allGather(own.build())) {
            for (int i = 0; i < told.count(); i++) {
                statuses.put(Integer.parseInt(told.keyAt(i)), RankStatus.read(told.childAt(i)));
            }
        }
        return List.copyOf(statuses.values());
    }

    /**
     * Rebuilds the members that a survey reports as missing, and compares contents unless that was done.
     *
     * @return whether that was all; otherwise contents have shown more losses or a disagreement, and nothing was
     *         replaced
     */
    private boolean attempt(List<SetRecovery> sets, List<RankStatus> statuses, Supplier<ErasureKernel> kernel) {
        RankStatus.requireRecoverable(statuses);
        try (FileTransaction transaction = new FileTransaction(home.operations())) {
            channel.localStep(NAME, () -> {
                Set<Path> targets = new HashSet<>();
                for (SetRecovery set : sets) {
                    set.begin(transaction);
                    for (List<Path> ofMember : set.targets()) {
                        requireOwn(ofMember, targets);
                    }
                }
                if (sets.stream().anyMatch(SetRecovery::isCoded)) {
                    // Here all ranks learn that it is absent.
                    ErasureKernel _ = kernel.get();
                }
            });
            if (!rebuild(sets, kernel)) {
                return false;
            }
            if (statuses.stream().anyMatch(RankStatus::needsWriting)) {
                channel.localStep(NAME, transaction::publish);
            }
        }
        return true;
    }

    /**
     * Rejects a rebuild of two members to the same file.
     *
     * @param ofMember data files of a member that is rebuilt
     * @param targets those of other members; the member's own are added
     */
    private static void requireOwn(List<Path> ofMember, Set<Path> targets) throws IOException {
        Set<Path> paths = new HashSet<>();
        for (Path path : ofMember) {
            paths.add(FilePaths.identity(path));
        }
        for (Path path : paths) {
            if (!targets.add(path)) {
                throw new IOException(path + " would be a file of two lost ranks: start as many ranks as "
                        + "protected the files, or one more for each lost node");
            }
        }
    }

    /**
     * Rebuilds missing members. They are complete on the disk afterwards, unless more losses are found.
     *
     * @return whether contents have shown nothing more
     */
    private boolean rebuild(List<SetRecovery> sets, Supplier<ErasureKernel> kernel) {
        return channel.compute(NAME, () -> {
            PostponedFailure failure = new PostponedFailure();
            boolean further = false;
            for (SetRecovery set : sets) {
                further |= set.exchange(failure, kernel, pieceBytes, written -> {});
            }
            long[] nobody = {further ? 0 : 1, failure.isThere() ? 0 : 1};
            channel.min(nobody);
            for (SetRecovery set : nobody[0] == 0 ? sets : List.<SetRecovery>of()) {
                set.tellContents();
            }
            failure.throwIfAny();
            // If a rank could not read or write, the rebuilt files are useless.
            for (SetRecovery set : nobody[0] == 1 && nobody[1] == 1 ? sets : List.<SetRecovery>of()) {
                set.finish();
            }
            return nobody[0] == 1;
        });
    }
}

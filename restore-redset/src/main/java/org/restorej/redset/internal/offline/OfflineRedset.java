package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.ProtectedFiles;
import org.restorej.redset.internal.protocol.RankFiles;

/**
 * Inspects, verifies and rebuilds redundancy sets in one process that has access to all their files: sets of redset,
 * and sets of another program. The members of a set may be in one directory, or in those of several nodes. Not
 * thread-safe; uses several threads.
 */
public final class OfflineRedset {
    private static final String ONLY_STALE = "no redundancy file is left of the encoding that descriptor files describe";
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint\\.\\d+");

    private final FileOperations operations;
    private final ForeignFormat foreign;
    private final PathPolicy policy;
    private final LostMemberPlaces places;

    /**
     * Opens directories.
     *
     * @param operations the file system
     * @param places directories with redundancy files, each given once, see {@link #distinct}, and those of lost
     *        members
     * @param foreign the format of another program
     * @param policy allowed places of data files
     */
    public OfflineRedset(FileOperations operations, LostMemberPlaces places, ForeignFormat foreign,
            PathPolicy policy) {
        this.operations = operations;
        this.places = places;
        this.foreign = foreign;
        this.policy = policy;
    }

    /**
     * Directories without duplicates, also under other names.
     *
     * @throws IOException if one doesn't exist
     */
    public static List<Path> distinct(List<Path> directories) throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path directory : directories) {
            byRealPath.putIfAbsent(directory.toRealPath(), directory);
        }
        return List.copyOf(byRealPath.values());
    }

    /** The format of another program than redset. */
    public interface ForeignFormat extends DirectoryScan.HeaderReader {
        /** The redundancy files in a directory, and in the folders where the other program hides them. */
        List<Path> files(Path directory) throws IOException;

        /**
         * The sets that headers describe.
         *
         * @param scan the headers
         * @param comparesContents whether contents are compared
         * @param problems receives errors besides those of sets
         */
        List<SetParts> sets(OfflineRedset redset, DirectoryScan scan, boolean comparesContents, List<Problem> problems)
                throws IOException;
    }

    /** The file system. */
    public FileOperations operations() {
        return operations;
    }

    /** The directories of lost members. */
    public LostMemberPlaces places() {
        return places;
    }

    /** Allowed places of data files. */
    public PathPolicy policy() {
        return policy;
    }

    /**
     * The content of the directories.
     *
     * @param sets all sets of which a file tells
     * @param problems other errors
     * @param stale files of encodings that are no longer current, with descriptions; never changed
     * @param interruptions journals of commits that were interrupted after files may have been moved, with a remark:
     *        {@link #settleInterrupted} ends these. Until then the directories have files of two encodings, and sets
     *        that seem lost count as repairable
     */
    public record Content(List<SetInspection> sets, List<Problem> problems, SortedMap<Path, String> stale,
            List<String> interruptions) {
        /** Nothing. */
        public static final Content NONE = new Content(List.of(), List.of(), Collections.emptySortedMap(), List.of());
    }

    /**
     * An error that is not one of a set.
     *
     * @param message the error, as text
     * @param mayBeIntact whether it is a file that only can't be read at the moment
     */
    public record Problem(String message, boolean mayBeIntact) {
        /** Of a file that can't be read. */
        static Problem of(UnreadableFile file, String said, String remedyIfDamaged) {
            boolean mayBeIntact = file.mayBeIntact();
            return new Problem(said + (mayBeIntact ? ": it may be intact: make it readable" : remedyIfDamaged),
                    mayBeIntact);
        }
    }

    private void requireUnused() throws IOException {
        List<Path> locked = new ArrayList<>(read());
        for (Path directory : read()) {
            // The lock of a checkpoint is beside it. Either the directory or a link to it may have that name.
            for (Path name : List.of(directory.toAbsolutePath().normalize(), directory.toRealPath())) {
                Path beside = name.getParent();
                if (isCheckpoint(name) && beside != null && Files.isDirectory(beside)) {
                    locked.add(beside);
                }
            }
        }
        for (Path directory : distinct(locked)) {
            for (Path entry : DirectoryEntries.of(directory)) {
                if (entry.toString().endsWith(JobLock.EXTENSION) && JobLock.isInUse(entry)) {
                    throw new IOException(directory + " is in use, as " + entry.getFileName()
                            + " tells: wait until the job or command has ended that works there");
                }
            }
        }
    }

    /** The directories, and those for lost files. */
    private List<Path> read() throws IOException {
        return distinct(places.all());
    }

    /**
     * Finds missing files, by names and sizes.
     *
     * @throws UnknownPlaceException if a directory was given for a rank that is in none of the sets
     */
    public Content inspect() throws IOException {
        return look(null, journals());
    }

    /**
     * Finds missing and damaged files, also by contents. Reads everything, writes nothing.
     *
     * @throws UnknownPlaceException as {@link #inspect()}
     */
    public Content verify() throws IOException {
        return look(ErasureKernels.preferred(), journals());
    }

    private Journals journals() throws IOException {
        return Journals.in(operations, read());
    }

    private Content look(@Nullable ErasureKernel contents, Journals journals) throws IOException {
        List<String> interruptions = journals.interruptions();
        List<Problem> problems = new ArrayList<>();
        SortedMap<Path, String> stale = new TreeMap<>();
        List<String> uncertain = new ArrayList<>();
        DirectoryScan all = new DirectoryScan(new ArrayList<>(), List.of(), new TreeMap<>(), new TreeMap<>());
        Map<Path, Path> foreignFiles = new LinkedHashMap<>();
        List<DirectoryContent.FoundSet> found = new ArrayList<>();
        for (Path directory : read()) {
            DirectoryScan scan = DirectoryScan.of(operations, directory);
            DirectoryContent ofDirectory = DirectoryContent.of(scan);
            stale.putAll(ofDirectory.stale());
            uncertain.addAll(ofDirectory.undecided());
            all.headers().addAll(scan.headers());
            all.alone().putAll(scan.alone());
            all.unreadable().putAll(ofDirectory.unreadable());
            found.addAll(ofDirectory.sets());
            for (Path file : foreign.files(directory)) {
                if (Files.isRegularFile(file)) {
                    foreignFiles.putIfAbsent(file.toRealPath(), file);
                }
            }
        }
        found = SpreadSets.joined(found);
        List<SetParts> parts = new ArrayList<>();
        for (DirectoryContent.FoundSet set : found) {
            parts.add(parts(set, all));
        }
        DirectoryScan ofForeign = DirectoryScan.of(operations, foreignFiles.values(), foreign);
        parts.addAll(foreign.sets(this, ofForeign, contents != null, problems));
        places.requireRanksOf(parts);
        List<SetInspection> sets = parts.stream().map(set -> new SetInspector(set, policy.base()).inspect(contents))
                .toList();
        Map<Path, IOException> ofNoSet = new TreeMap<>(all.unreadable());
        ofNoSet.putAll(ofForeign.unreadable());
        parts.forEach(set -> set.unreadable().values().forEach(file -> ofNoSet.remove(file.path())));
        ofNoSet.forEach((path, reason) -> problems.add(UnreadableFile.problem(path, reason)));
        problems.addAll(journals.problems());
        uncertain.addAll(alone(all, sets));
        // Otherwise files may have been moved.
        if (interruptions.isEmpty()) {
            uncertain.forEach(each -> problems.add(new Problem(each, false)));
            problems.addAll(SpreadSets.absent(found, ofNoSet));
        }
        if (sets.isEmpty() && problems.isEmpty() && interruptions.isEmpty() && !stale.isEmpty()) {
            problems.add(new Problem(ONLY_STALE, false));
        }
        return new Content(SharedTargets.withoutConflicts(sets).stream().map(journals::explain).toList(), problems,
                stale, interruptions);
    }

    /** Descriptor files of which no set tells. */
    private static List<String> alone(DirectoryScan all, List<SetInspection> sets) {
        Map<Path, Descriptor> alone = new TreeMap<>(all.alone());
        for (SetInspection set : sets) {
            set.members().values().forEach(
                    member -> member.location().small().ifPresent(small -> alone.remove(small.descriptor())));
        }
        List<String> said = new ArrayList<>();
        alone.forEach((path, own) -> said.add(path + " describes rank " + own.worldRank() + " of " + own.worldRanks()
                + ", " + own.scheme() + " in a set of " + own.ranks()
                + ", but none of its redundancy files is there"));
        return said;
    }

    private SetParts parts(DirectoryContent.FoundSet set, DirectoryScan all) throws IOException {
        SortedMap<Integer, OwnMember> members = new TreeMap<>();
        set.headers().forEach((rank, found) -> {
            Descriptor place = found.header().own().descriptor();
            RankFiles files = new RankFiles(operations, found.directory(), set.namePrefix(),
                    policyIn(found.directory()), place.worldRank());
            members.put(rank, new OwnMember(place, files, found.found(), false));
        });
        ProtectedFiles lostFiles = new SetParts.PlacedFiles(members.firstEntry().getValue().files(), member -> {
            Path directory = set.folderOf(member.descriptor(), places, all);
            return MemberLocation.of(set.prefixIn(directory), member, policyIn(directory));
        }, ProtectedFiles::losses);
        SortedMap<Integer, UnreadableFile> unreadable = set.unreadable(places, all);
        List<String> doubts = set.doubt().isEmpty() ? List.of() : List.of(set.doubt());
        // A complete set is not in doubt.
        boolean isComplete = members.size() + unreadable.values().stream().filter(UnreadableFile::mayBeIntact)
                .count() == set.place().ranks();
        return new SetParts(set.name(), set.place(), members, lostFiles, unreadable, isComplete ? List.of() : doubts,
                isComplete ? doubts : List.of());
    }

    /** A directory of a checkpoint may be a copy of another. Then the files in the copy are used. */
    private PathPolicy policyIn(Path directory) {
        return isCheckpoint(directory) ? policy.at(directory.toAbsolutePath().normalize()) : policy;
    }

    private static boolean isCheckpoint(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        return CHECKPOINT.matcher(String.valueOf(absolute.getFileName())).matches();
    }

    /**
     * Completes or rolls back commits that were interrupted after files may have been moved. Keeps the journals if
     * those of other ranks were not found: {@code Redset.recover} on all ranks needs them.
     *
     * <p>
     * The journals of a running {@code Redset.apply} look like those of a killed one, and both would move the same
     * files.
     *
     * @return undoes everything when closed, unless {@link Settled#keep} was called
     * @throws IOException also if a job or another command uses the directories, or that can't be determined
     */
    public Settled settleInterrupted() throws IOException {
        requireUnused();
        Settled settled = new Settled(journals());
        try {
            settled.move();
            return settled;
        } catch (IOException failure) {
            settled.close();
            throw failure;
        }
    }

    /** Files that were moved to their new or old names, until it is known whether the move is useful. */
    public final class Settled implements AutoCloseable {
        private final Journals before;
        private final List<Path> journals = new ArrayList<>();
        private boolean kept;

        private Settled(Journals before) {
            this.before = before;
        }

        private void move() throws IOException {
            for (InterruptedCommit commit : before.settled()) {
                journals.addAll(commit.move());
            }
            journals.sort(null);
        }

        /** As {@link OfflineRedset#verify}, where the files are now. */
        public Content verify() throws IOException {
            return look(ErasureKernels.preferred(), before.withoutSettled());
        }

        /** The journals of ranks whose files were moved. */
        public List<Path> journals() {
            return List.copyOf(journals);
        }

        /** Makes the moves final. */
        public void keep() throws IOException {
            kept = true;
            for (InterruptedCommit commit : before.settled()) {
                commit.end();
            }
        }

        @Override
        public void close() throws IOException {
            if (!kept) {
                for (InterruptedCommit commit : before.settled().reversed()) {
                    commit.undo();
                }
            }
        }
    }
}

package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.ProtectedFiles;
import org.restorej.redset.internal.protocol.RankFiles;

/**
 * Inspects, verifies and rebuilds redundancy sets from one process that reaches all their files: sets of redset, and
 * those of another program. The members of a set may be in one directory, or in those of several nodes. Used by one
 * thread; works with several.
 */
public final class OfflineRedset {
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint\\.\\d+");

    private final FileOperations operations;
    private final List<Path> directories;
    private final ForeignSets foreign;
    private final PathPolicy policy;
    private final LostDirectories lost;

    /**
     * Directories to work on.
     *
     * @param operations the file system
     * @param directories hold redundancy files; no two are the same, see {@link #distinct}
     * @param foreign finds the sets of another program, which may be spread over the directories
     * @param policy where data files may be
     * @param lost where the files of lost members of redset's sets go
     */
    public OfflineRedset(FileOperations operations, List<Path> directories, ForeignSets foreign, PathPolicy policy,
            LostDirectories lost) {
        this.operations = operations;
        this.directories = List.copyOf(directories);
        this.foreign = foreign;
        this.policy = policy;
        this.lost = lost;
    }

    /**
     * Directories without those that are the same as earlier ones, under another name or not.
     *
     * @throws IOException when one isn't there
     */
    public static List<Path> distinct(List<Path> directories) throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path directory : directories) {
            byRealPath.putIfAbsent(directory.toRealPath(), directory);
        }
        return List.copyOf(byRealPath.values());
    }

    /** Sets of another program than redset. */
    @FunctionalInterface
    public interface ForeignSets {
        /**
         * Adds those that are there.
         *
         * @param contents gives the arithmetic to compare contents, or null to look at names and sizes only
         */
        void look(OfflineRedset redset, @Nullable ErasureKernel contents, Content content) throws IOException;
    }

    /** The file system. */
    public FileOperations operations() {
        return operations;
    }

    /** The directories, as they were given. */
    public List<Path> directories() {
        return directories;
    }

    /** Where data files may be. */
    public PathPolicy policy() {
        return policy;
    }

    /**
     * What is in the directories.
     *
     * @param ofRedset which files of redset count, by directory
     * @param sets all sets
     * @param absentSets sets of redset of which no file is there, although others tell how many there are, for people
     * @param problems what is wrong with files of another program beside sets
     */
    public record Content(List<DirectoryContent> ofRedset, List<SetInspection> sets, List<String> absentSets,
            List<String> problems) {}

    /**
     * Throws when a job or another command works on the files.
     *
     * @throws IOException also when that can't be found out
     */
    public void requireUnused() throws IOException {
        for (Path directory : read()) {
            for (Path entry : DirectoryEntries.of(directory)) {
                if (entry.toString().endsWith(LockFile.EXTENSION) && LockFile.isInUse(entry)) {
                    throw new IOException(directory + " is in use, as " + entry.getFileName()
                            + " tells: wait until the job or command has ended that works there");
                }
            }
        }
    }

    /** The directories, and those where lost files go. */
    private List<Path> read() throws IOException {
        return distinct(Stream.concat(directories.stream(), lost.all().stream()).toList());
    }

    /** What is missing, by names and sizes. */
    public Content inspect() throws IOException {
        return look(null);
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public Content verify() throws IOException {
        return look(ErasureKernels.preferred());
    }

    private Content look(@Nullable ErasureKernel contents) throws IOException {
        Content content = new Content(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<DirectoryScan.FoundHeader> headers = new ArrayList<>();
        Map<Path, Descriptor> alone = new TreeMap<>();
        Map<Path, String> unreadable = new HashMap<>();
        List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        for (Path directory : read()) {
            DirectoryScan scan = DirectoryScan.of(operations, directory);
            DirectoryContent ofDirectory = DirectoryContent.of(scan);
            content.ofRedset().add(ofDirectory);
            headers.addAll(scan.headers());
            alone.putAll(scan.alone());
            unreadable.putAll(scan.unreadable());
            parts.addAll(ofDirectory.sets());
        }
        LostMemberPlaces places = new LostMemberPlaces(directories, headers, alone, lost);
        List<DirectoryContent.FoundSet> found = SpreadSets.joined(parts);
        content.absentSets().addAll(SpreadSets.absent(found));
        for (DirectoryContent.FoundSet set : found) {
            SetInspection inspection = inspect(parts(set, places, unreadable), contents);
            inspection.locations().forEach(location -> alone.remove(location.descriptor()));
            content.sets().add(inspection);
        }
        alone.forEach((path, own) -> content.absentSets().add(path + " describes rank " + own.worldRank() + " of "
                + own.worldRanks() + ", " + own.scheme() + " in a set of " + own.ranks()
                + ", but none of its redundancy files is there"));
        foreign.look(this, contents, content);
        return new Content(content.ofRedset(), SharedTargets.withoutConflicts(content.sets()),
                content.absentSets(), content.problems());
    }

    /** What is wrong with a set, of redset or of another program. */
    public SetInspection inspect(SetParts parts, @Nullable ErasureKernel contents) throws IOException {
        return new SetInspector(parts, policy.base()).inspect(contents);
    }

    private SetParts parts(DirectoryContent.FoundSet set, LostMemberPlaces places, Map<Path, String> unreadable) {
        SortedMap<Integer, OwnMember> members = new TreeMap<>();
        set.headers().forEach((rank, found) -> {
            Descriptor place = found.header().own().descriptor();
            Path directory = found.path().resolveSibling("");
            RankFiles files = new RankFiles(operations, directory, set.namePrefix(), policyIn(directory),
                    place.worldRank());
            members.put(rank, new OwnMember(place, files, new ProtectedFiles.FoundHeader(found.header(),
                    found.header().toTree(), found.headerBytes()), false));
        });
        ProtectedFiles lostFiles = new SetParts.PlacedFiles(members.get(members.firstKey()).files(), member -> {
            String prefix = places.prefixOf(set, member.descriptor());
            return MemberLocation.of(prefix, member, policyIn(Path.of(prefix + "0").resolveSibling("")));
        });
        return new SetParts(set.name(), set.place(), members, lostFiles, unreadable,
                set.doubt().isEmpty() ? List.of() : List.of(set.doubt()), List.of());
    }

    /** A directory of a checkpoint may be a copy of another, whose files are not meant. */
    private PathPolicy policyIn(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        return CHECKPOINT.matcher(String.valueOf(absolute.getFileName())).matches() ? policy.at(absolute) : policy;
    }

    /**
     * The journals of commits that were interrupted after files may have been moved, if the journals of all ranks are
     * here. {@link #settleInterrupted} completes or aborts such a commit. Before that, files of two encodings lie
     * there, and {@link #inspect} and {@link #verify} may find sets worse than they are. Changes nothing.
     */
    public List<Path> interruptedHere() throws IOException {
        return interrupted().stream().filter(InterruptedCommit::isWhole)
                .flatMap(commit -> commit.journals().stream()).sorted().toList();
    }

    /** Those in which files may have been moved. */
    private List<InterruptedCommit> interrupted() throws IOException {
        return InterruptedCommit.in(operations, read()).stream().filter(InterruptedCommit::mayHaveMoved).toList();
    }

    /**
     * Completes or aborts commits that were interrupted after files may have been moved. Journals stay when those
     * of other ranks are elsewhere: {@code Redset.recover} on all ranks needs them.
     *
     * <p>
     * Must not be called while a job works in the directories. The journals of a running {@code Redset.apply} look like
     * those of a killed one, and both would move the same files.
     *
     * @return takes everything back when it is closed, unless it is to be kept
     */
    public Settled settleInterrupted() throws IOException {
        Settled settled = new Settled(interrupted());
        try {
            settled.move();
            return settled;
        } catch (IOException failure) {
            settled.close();
            throw failure;
        }
    }

    /** Files that were moved on, or back, as long as it is not known whether that is of use. */
    public static final class Settled implements AutoCloseable {
        private final List<InterruptedCommit> commits;
        private final List<Path> journals = new ArrayList<>();
        private boolean kept;

        private Settled(List<InterruptedCommit> commits) {
            this.commits = commits;
        }

        private void move() throws IOException {
            for (InterruptedCommit commit : commits) {
                journals.addAll(commit.move());
            }
            journals.sort(null);
        }

        /** The journals of ranks whose files were moved. */
        public List<Path> journals() {
            return List.copyOf(journals);
        }

        /** Makes it final. */
        public void keep() throws IOException {
            kept = true;
            for (InterruptedCommit commit : commits) {
                commit.end();
            }
        }

        @Override
        public void close() throws IOException {
            if (!kept) {
                for (InterruptedCommit commit : commits.reversed()) {
                    commit.undo();
                }
            }
        }
    }

    /**
     * Where the files of lost members go, as somebody has said, where that doesn't follow from what is there.
     *
     * @param ofTheOne of the only member that is lost, or null
     * @param byWorldRank of others, by their ranks in the job
     */
    public record LostDirectories(@Nullable Path ofTheOne, Map<Integer, Path> byWorldRank) {
        /** Nobody has said anything. */
        public static final LostDirectories UNSAID = new LostDirectories(null, Map.of());

        /** Copies the map. */
        public LostDirectories {
            byWorldRank = Map.copyOf(byWorldRank);
        }

        /** All of the directories. */
        public List<Path> all() {
            List<Path> all = new ArrayList<>(byWorldRank.values());
            if (ofTheOne != null) {
                all.add(ofTheOne);
            }
            return all;
        }

        /** The directory of a lost member, or null when nobody has said. */
        @Nullable
        Path of(int worldRank) {
            return byWorldRank.isEmpty() ? ofTheOne : byWorldRank.get(worldRank);
        }
    }
}

package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SetRebuilder;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.Timestamp;
import org.restorej.redset.internal.offline.DirectoryContent;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.offline.SetInspector;
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * Computes lost members of redundancy sets anew, in a temporary directory. The files of a set may lie in several
 * directories, and are only read: each once. Directories may have files of equal names from different times: a node that
 * was down during a save still has the files of an earlier one. Only files that don't contradict one another can rebuild
 * anything. One thread.
 */
final class LostMembers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LostMembers.class.getName());
    private static final Comparator<DirectoryScan.FoundHeader> NEWEST_FIRST = Comparator
            .comparing(LostMembers::written, Comparator.comparingLong(Timestamp::seconds)
                    .thenComparingInt(Timestamp::nanoseconds))
            .reversed();

    private final FileOperations operations;
    private final Path workspace;

    private LostMembers(FileOperations operations, Path workspace) {
        this.operations = operations;
        this.workspace = workspace;
    }

    /** Makes the temporary directory. */
    static LostMembers create(FileOperations operations) throws IOException {
        return new LostMembers(operations, Files.createTempDirectory("restorej-rebuilt"));
    }

    /** How many redundancy files a directory has; none when it is not there or can't be read. */
    static int redundancyFiles(Path directory) {
        try {
            return (int) DirectoryEntries.namesOf(directory).stream()
                    .filter(name -> RedsetFileNames.parseRedundancy(name).isPresent()).count();
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /** Rebuilds what can be from the files in some directories, and returns the data files of members that were lost. */
    List<Path> rebuild(Collection<Path> directories) throws IOException {
        List<Path> rebuilt = new ArrayList<>();
        int number = 0;
        for (DirectoryContent.FoundSet set : encodings(headersIn(directories))) {
            rebuilt.addAll(rebuild(set, workspace.resolve("set" + number++)));
        }
        return rebuilt;
    }

    /** Directories that are not there or that this process can't read have nothing. */
    private List<DirectoryScan.FoundHeader> headersIn(Collection<Path> directories) {
        List<DirectoryScan.FoundHeader> headers = new ArrayList<>();
        for (Path directory : directories) {
            try {
                headers.addAll(DirectoryScan.of(operations, directory).headers());
            } catch (IOException | UncheckedIOException unreadable) {
                LOG.log(System.Logger.Level.WARNING, "{0} can''t be read: {1}", directory, unreadable.getMessage());
            }
        }
        return headers;
    }

    /** The sets by encoding, the encoding with the newest data first. A file may be in several encodings. */
    private static List<DirectoryContent.FoundSet> encodings(List<DirectoryScan.FoundHeader> headers) {
        Map<String, List<DirectoryScan.FoundHeader>> bySet = new HashMap<>();
        headers.forEach(found -> bySet.computeIfAbsent(found.header().own().descriptor().setName(),
                absent -> new ArrayList<>()).add(found));
        List<DirectoryContent.FoundSet> encodings = new ArrayList<>();
        for (List<DirectoryScan.FoundHeader> ofOneSet : bySet.values()) {
            ofOneSet.sort(NEWEST_FIRST);
            List<EncodingFacts> facts = ofOneSet.stream()
                    .map(found -> EncodingFacts.ofHeader(found.header(), found.path())).toList();
            for (BitSet group : EncodingFacts.groups(facts)) {
                SortedMap<Integer, DirectoryScan.FoundHeader> byRank = new TreeMap<>();
                group.stream().mapToObj(ofOneSet::get).forEach(found -> byRank.put(found.header().rank(), found));
                DirectoryScan.FoundHeader first = ofOneSet.get(group.nextSetBit(0));
                encodings.add(new DirectoryContent.FoundSet(first.prefix(), first.header().own().descriptor(), byRank,
                        ""));
            }
        }
        return encodings;
    }

    /**
     * When the files that a redundancy file protects were written: a rebuild of the redundancy changes its own times.
     */
    private static Timestamp written(DirectoryScan.FoundHeader found) {
        List<FileRecord> files = found.header().own().files();
        FileMetadata metadata = files.isEmpty() ? null : files.getFirst().metadata();
        return metadata == null ? new Timestamp(0, 0) : metadata.modificationTime();
    }

    private List<Path> rebuild(DirectoryContent.FoundSet found, Path place) throws IOException {
        ErasureKernel kernel = ErasureKernels.preferred();
        SetInspection set = new SetInspector(operations, found,
                member -> located(found.headers().get(member.descriptor().rank()), member, place), Path.of(""))
                .inspect(kernel, 1);
        SetFormat format = set.format();
        List<Path> rebuilt = new ArrayList<>();
        if (format != null && set.state() == SetInspection.State.REPAIRABLE) {
            List<MemberLocation> locations = new ArrayList<>(set.locations());
            for (int rank : set.missing().stream().toArray()) {
                locations.set(rank, located(null, format.set().member(rank), place));
                rebuilt.addAll(locations.get(rank).files());
            }
            new SetRebuilder(operations, kernel, format, locations, set.checksums(), set.missing(), 1)
                    .rebuild(bytes -> {});
        }
        return rebuilt;
    }

    /**
     * Where a member is. A data file is beside its member's redundancy file, as those with blocks are, or lost: its name
     * is where it was when it was written, perhaps on another node, which may have another disk there, or of the
     * checkpoint that this one is a copy of. What is lost goes to a directory of the member's own.
     */
    private static MemberLocation located(DirectoryScan.@Nullable FoundHeader found, RankRecord member, Path place) {
        String prefix = found == null
                ? place.resolve("member" + member.descriptor().rank() + "/rank.").toString()
                : found.prefix();
        Path redundancy = found == null
                ? Path.of(RedsetFileNames.redundancy(prefix, member.descriptor()))
                : found.path();
        return new MemberLocation(redundancy,
                Optional.of(new MemberLocation.Small(
                        Path.of(RedsetFileNames.descriptor(prefix, member.descriptor().worldRank())),
                        RedsetFileNames.checksums(redundancy))),
                member.files().stream().map(file -> redundancy
                        .resolveSibling(Objects.requireNonNull(FilePaths.of(file.name()).getFileName()))).toList());
    }

    /** Removes the workspace. */
    @Override
    public void close() throws IOException {
        DirectoryEntries.deleteTree(workspace);
    }
}

package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * Computes lost members of redundancy sets anew, in a temporary directory. The files of a set may lie in several
 * directories, and are only read: each once. One thread.
 */
final class LostMembers implements AutoCloseable {
    private final FileOperations operations;
    private final Path workspace;

    private LostMembers(FileOperations operations, Path workspace) {
        this.operations = operations;
        this.workspace = workspace;
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

    /** Makes the temporary directory. In it, each encoding has a directory with links to its redundancy files. */
    static LostMembers of(FileOperations operations, Collection<Path> directories) throws IOException {
        LostMembers members = new LostMembers(operations, Files.createTempDirectory("restorej-rebuilt"));
        try {
            int number = 0;
            for (Set<Path> encoding : MemberFiles.in(operations, directories).encodings()) {
                Path place = members.workspace.resolve("encoding" + number++);
                operations.createDirectories(place);
                link(encoding, place);
            }
            return members;
        } catch (IOException failure) {
            members.close();
            throw failure;
        }
    }

    private static void link(Set<Path> encoding, Path place) throws IOException {
        for (Path redundancy : encoding) {
            for (Path file : List.of(redundancy, RedsetFileNames.checksums(redundancy))) {
                if (Files.exists(file)) {
                    Files.createSymbolicLink(place.resolve(Objects.requireNonNull(file.getFileName())),
                            file.toAbsolutePath());
                }
            }
        }
    }

    /** Rebuilds what can be, and returns the data files of the members that were lost. */
    List<Path> rebuild() throws IOException {
        List<Path> rebuilt = new ArrayList<>();
        for (Path encoding : DirectoryEntries.of(workspace)) {
            rebuilt.addAll(rebuild(encoding));
        }
        return rebuilt;
    }

    private List<Path> rebuild(Path encoding) throws IOException {
        OfflineRedset redset = new OfflineRedset(encoding, policy(encoding), 1);
        List<Path> rebuilt = new ArrayList<>();
        for (SetInspection set : redset.verify().sets()) {
            if (set.state() == SetInspection.State.REPAIRABLE && !set.missing().isEmpty()) {
                List<MemberLocation> locations = relocated(encoding, set);
                redset.repair().rebuildMissing(new SetInspection(set.name(), set.place(), set.format(), locations,
                        set.checksums(), set.missing(), set.damages(), set.notes(), set.state()), bytes -> {});
                set.missing().stream().forEach(rank -> rebuilt.addAll(locations.get(rank).files()));
            }
        }
        return rebuilt;
    }

    /**
     * Names may lead anywhere since such files are only read: what is written goes to the workspace. A data file is
     * beside its member's redundancy file, or lost: its name is where it was when it was written, perhaps on another
     * node, which may have another disk there, or of the checkpoint that this one is a copy of.
     */
    private PathPolicy policy(Path encoding) {
        Map<String, String> moved = new HashMap<>();
        for (DirectoryScan.FoundHeader found : MemberFiles.in(operations, List.of(encoding)).headers()) {
            for (FileRecord file : found.header().own().files()) {
                moved.put(file.name(), FilePaths.nameOf(MemberFiles.beside(linked(found.path()), file)));
            }
        }
        return new PathPolicy(Path.of(""), List.of(), true, moved);
    }

    private static Path linked(Path link) {
        try {
            return FilePaths.throughLinks(link);
        } catch (IOException loop) {
            return link;
        }
    }

    /** The data files of lost members go to the workspace, each member's to a directory of its own. */
    private static List<MemberLocation> relocated(Path encoding, SetInspection set) {
        List<MemberLocation> locations = new ArrayList<>(set.locations());
        BitSet missing = set.missing();
        for (int rank : missing.stream().toArray()) {
            MemberLocation old = locations.get(rank);
            Path directory = encoding.resolve("set" + set.place().group()).resolve("member" + rank);
            locations.set(rank,
                    new MemberLocation(old.redundancy(), old.small(),
                            old.files().stream()
                                    .map(file -> directory.resolve(Objects.requireNonNull(file.getFileName())))
                                    .toList()));
        }
        return locations;
    }

    /** Removes the workspace. */
    @Override
    public void close() throws IOException {
        DirectoryEntries.deleteTree(workspace);
    }
}

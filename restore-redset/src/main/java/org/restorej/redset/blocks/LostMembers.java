package org.restorej.redset.blocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.coding.Progress;
import org.restorej.redset.files.PathPolicy;
import org.restorej.redset.offline.OfflineRedset;
import org.restorej.redset.offline.SetInspection;

/**
 * Computes anew, in a temporary directory, what is lost of redundancy sets whose files lie in several directories. What
 * is there is only read. One thread, one process; reads everything once and writes what is lost.
 */
final class LostMembers implements AutoCloseable {
    private static final String NAME_PART = ".redset";

    private final Path workspace;

    private LostMembers(Path workspace) {
        this.workspace = workspace;
    }

    /** Whether a directory is there and has redundancy files; how many. */
    static int redundancyFiles(Path directory) {
        try {
            return protectingFiles(directory).size();
        } catch (IOException unreadable) {
            return 0;
        }
    }

    private static List<Path> protectingFiles(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(path -> String.valueOf(path.getFileName()).contains(NAME_PART)).sorted().toList();
        }
    }

    /** Makes the place for it; links to all redundancy files stand there side by side. */
    static LostMembers of(Collection<Path> directories) throws IOException {
        LostMembers members = new LostMembers(Files.createTempDirectory("restorej-rebuilt"));
        try {
            for (Path directory : directories) {
                for (Path file : protectingFiles(directory)) {
                    Path link = members.workspace.resolve(String.valueOf(file.getFileName()));
                    if (!Files.exists(link)) {
                        Files.createSymbolicLink(link, file.toAbsolutePath());
                    }
                }
            }
            return members;
        } catch (IOException failure) {
            members.close();
            throw failure;
        }
    }

    /** Rebuilds what can be, and returns the data files of the members that were lost. */
    List<Path> rebuild() throws IOException {
        // Names may lead anywhere since such files are only read: what is written goes to the workspace.
        OfflineRedset redset = new OfflineRedset(workspace, PathPolicy.trusted(), 1);
        List<Path> rebuilt = new ArrayList<>();
        for (SetInspection set : redset.verify()) {
            if (set.state() == SetInspection.State.REPAIRABLE && !set.missing().isEmpty()) {
                List<MemberLocation> locations = relocated(set);
                redset.rebuild(new SetInspection(set.prefix(), set.place(), set.description(), locations,
                        set.checksums(), set.missing(), set.damages(), set.notes(), set.state()), Progress.NONE);
                set.missing().stream().forEach(rank -> rebuilt.addAll(locations.get(rank).files()));
            }
        }
        return rebuilt;
    }

    /** The data files of lost members go to the workspace, each member's to a directory of its own. */
    private List<MemberLocation> relocated(SetInspection set) {
        List<MemberLocation> locations = new ArrayList<>(set.locations());
        BitSet missing = set.missing();
        for (int rank : missing.stream().toArray()) {
            MemberLocation old = locations.get(rank);
            Path directory = workspace.resolve("set" + set.place().group()).resolve("member" + rank);
            locations.set(rank, new MemberLocation(old.redundancy(), old.descriptor(), old.checksums(),
                    old.files().stream().map(file -> directory.resolve(String.valueOf(file.getFileName()))).toList()));
        }
        return locations;
    }

    /** Removes the workspace. */
    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(workspace)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}

package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.offline.SetParts;
import org.restorej.redset.internal.offline.UnreadableFile;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.ProtectedFiles;

/** Reads the sets that SCR itself has written. */
public final class ScrSets implements OfflineRedset.ForeignFormat {
    /**
     * A unique path of a directory. Links are kept, unless {@code ..} after a link makes it that of another directory.
     */
    static Path absolute(Path directory) throws IOException {
        Path normalised = directory.toAbsolutePath().normalize();
        return Files.isDirectory(normalised) && Files.isSameFile(normalised, directory)
                ? normalised
                : directory.toRealPath();
    }

    @Override
    public List<Path> files(Path directory) throws IOException {
        return ScrFolder.xorFiles(absolute(directory));
    }

    @Override
    public Optional<DirectoryScan.FoundHeader> read(FileOperations operations, Path path) throws IOException {
        Optional<ScrFileName> name = ScrFileName.parse(String.valueOf(path.getFileName()));
        if (name.isEmpty()) {
            return Optional.empty();
        }
        KvTreeBlock block = operations.readHeader(path);
        return Optional.of(new DirectoryScan.FoundHeader("", path, new ProtectedFiles.FoundHeader(
                ScrHeader.read(block.tree(), name.get()).redundancy(), block.tree(), block.sizeBytes())));
    }

    @Override
    public List<SetParts> sets(OfflineRedset redset, DirectoryScan scan, boolean comparesContents,
            List<OfflineRedset.Problem> problems) throws IOException {
        List<ScrSet> sets = ScrSet.of(scan.headers());
        ScrPlaces places = new ScrPlaces(sets, scan.unreadable(), redset.places(), redset.policy());
        Map<Object, List<ScrSet>> jobs = sets.stream()
                .collect(Collectors.groupingBy(ScrSet::job, LinkedHashMap::new, Collectors.toList()));
        List<SetParts> parts = new ArrayList<>();
        for (List<ScrSet> job : jobs.values()) {
            boolean isInOneFolder = job.stream().flatMap(set -> set.folders().stream()).distinct().count() == 1;
            Optional<String> absent = absentRanks(job);
            if (isInOneFolder) {
                absent.ifPresent(line -> problems.add(new OfflineRedset.Problem(line, false)));
            }
            for (ScrSet set : job) {
                List<String> notes = new ArrayList<>();
                if (!isInOneFolder) {
                    absent.ifPresent(line -> notes.add(line + "; those of the others are in directories not given"));
                }
                parts.add(parts(redset.operations(), set, unreadable(set, sets, scan), places.of(set),
                        comparesContents, notes));
            }
        }
        return parts;
    }

    /**
     * Reports ranks of a job that are in no set that was found, although headers tell the number of ranks. They are on
     * nodes that were not given, or, if all files were copied to one folder, lost.
     */
    private static Optional<String> absentRanks(List<ScrSet> job) {
        ScrHeader header = job.getFirst().any();
        int ranks = header.redundancy().own().descriptor().worldRanks();
        Set<Integer> there = new HashSet<>();
        job.forEach(set -> there.addAll(set.any().redundancy().worldRanks()));
        return there.size() == ranks
                ? Optional.empty()
                : Optional.of("SCR's data set " + header.dataset() + ": there are XOR files of the sets of "
                        + there.size() + " ranks only, of " + ranks);
    }

    private static SetParts parts(FileOperations operations, ScrSet set,
            SortedMap<Integer, UnreadableFile> unreadable, SetParts.Places places, boolean comparesCrcs,
            List<String> notes) {
        SortedMap<Integer, OwnMember> members = new TreeMap<>();
        set.files().forEach((rank, file) -> {
            ScrMemberFiles files = new ScrMemberFiles(operations, file, places, comparesCrcs);
            members.put(rank, new OwnMember(file.header().redundancy().own().descriptor(), files,
                    file.found().found(), false));
            file.header().current().stream().filter(data -> !data.complete()).forEach(data -> notes.add(
                    data.record().shownName() + ": the application has not said that it is complete (COMPLETE)"));
        });
        return new SetParts(set.name(), set.any().redundancy().own().descriptor(), members,
                members.firstEntry().getValue().files(), unreadable, set.doubts(), notes);
    }

    /**
     * The XOR files of its other members that can't be read. Those of another data set may have the same names.
     *
     * @param sets all sets
     */
    private static SortedMap<Integer, UnreadableFile> unreadable(ScrSet set, List<ScrSet> sets, DirectoryScan scan) {
        SortedMap<Integer, UnreadableFile> ofSet = new TreeMap<>();
        scan.unreadable().forEach((path, reason) -> ScrFileName.parse(String.valueOf(path.getFileName()))
                .filter(name -> name.equals(set.any().name().ofMember(name.rank()))
                        && mayHaveMemberIn(path.resolveSibling(""), set, sets))
                .ifPresent(name -> ofSet.putIfAbsent(name.rank(), new UnreadableFile(path, reason))));
        ofSet.keySet().removeAll(set.files().keySet());
        return ofSet;
    }

    /** Whether a folder has a member of a set, or may be that of another node, without another set of the same names. */
    private static boolean mayHaveMemberIn(Path folder, ScrSet set, List<ScrSet> sets) {
        List<Path> folders = set.folders();
        boolean isTogether = folders.size() > 1 && folders.stream().distinct().count() == 1;
        return folders.contains(folder) || (!isTogether && sets.stream()
                .noneMatch(other -> other.any().name().ofMember(0).equals(set.any().name().ofMember(0))
                        && other.folders().contains(folder)));
    }

    /**
     * A set that SCR itself has written.
     *
     * @param directories directories of its XOR files, in order
     * @param number of the set, as in the names of its files
     * @param dataset name and id of the data set, for messages
     */
    public record Name(List<Path> directories, long number, String dataset) implements SetInspection.SetName {
        /** Copies the list. */
        public Name {
            directories = List.copyOf(directories);
        }

        @Override
        public String shown() {
            return "set " + number + " of SCR's data set " + (dataset.isEmpty() ? "" : dataset + " ") + "in "
                    + directories.stream().map(Path::toString).collect(Collectors.joining(", "));
        }
    }
}

package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.offline.OfflineRedset.LostDirectories;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import org.restorej.redset.internal.offline.SetParts;
import org.restorej.redset.internal.protocol.OwnMember;

/**
 * The sets in some directories that SCR itself has written.
 *
 * @param lost directories for the files of lost members
 */
public record ScrSets(LostDirectories lost) implements OfflineRedset.ForeignSets {
    private LostDirectories absolute() throws IOException {
        Map<Integer, Path> absolute = new HashMap<>();
        for (Map.Entry<Integer, Path> entry : lost.byWorldRank().entrySet()) {
            absolute.put(entry.getKey(), absolute(entry.getValue()));
        }
        Path ofTheOne = lost.ofTheOne();
        return new LostDirectories(ofTheOne == null ? null : absolute(ofTheOne), absolute);
    }

    /**
     * A unique path of a directory. Links are kept, unless {@code ..} after a link makes it that of another directory.
     */
    private static Path absolute(Path directory) throws IOException {
        Path normalised = directory.toAbsolutePath().normalize();
        return Files.isDirectory(normalised) && Files.isSameFile(normalised, directory)
                ? normalised
                : directory.toRealPath();
    }

    @Override
    public Set<Integer> look(OfflineRedset redset, @Nullable ErasureKernel contents,
            OfflineRedset.Content content) throws IOException {
        List<Path> directories = new ArrayList<>();
        for (Path directory : redset.directories()) {
            directories.add(absolute(directory));
        }
        ScrScan scan = ScrScan.of(redset.operations(), directories);
        ScrPlaces places = new ScrPlaces(scan, directories, absolute(), redset.policy());
        Set<Path> explained = new HashSet<>();
        List<SetInspection> sets = new ArrayList<>();
        for (ScrScan.FoundSet set : scan.sets()) {
            SetInspection inspection = redset.inspect(parts(redset, set, scan, places.of(set), contents != null),
                    contents);
            inspection.locations().forEach(location -> explained.add(location.redundancy()));
            sets.add(inspection);
        }
        tellAbsentRanks(scan.sets(), sets, content.problems());
        content.sets().addAll(sets);
        scan.unreadable().forEach((path, reason) -> {
            if (!explained.contains(path)) {
                content.problems().add(path + ": " + reason);
            }
        });
        return scan.sets().stream().flatMap(set -> set.any().header().redundancy().worldRanks().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Reports ranks of jobs that are in no set that was found, although headers tell the number of ranks. They are on
     * nodes that were not given, or, if all files were copied to one folder, lost.
     */
    private static void tellAbsentRanks(List<ScrScan.FoundSet> found, List<SetInspection> sets,
            List<String> problems) {
        Map<List<Object>, List<Integer>> setsOfJobs = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            ScrHeader header = found.get(i).any().header();
            setsOfJobs.computeIfAbsent(List.of(header.datasetTree(),
                    header.redundancy().own().descriptor().worldRanks()), absent -> new ArrayList<>()).add(i);
        }
        setsOfJobs.values().forEach(ofJob -> {
            ScrHeader header = found.get(ofJob.getFirst()).any().header();
            int ranks = header.redundancy().own().descriptor().worldRanks();
            Set<Integer> there = new HashSet<>();
            Set<Path> folders = new HashSet<>();
            ofJob.forEach(set -> {
                there.addAll(found.get(set).any().header().redundancy().worldRanks());
                found.get(set).files().values().forEach(file -> folders.add(file.directory()));
            });
            String line = "SCR's data set " + header.dataset() + ": there are XOR files of the sets of " + there.size()
                    + " ranks only, of " + ranks;
            if (there.size() < ranks && folders.size() == 1) {
                problems.add(line);
            } else if (there.size() < ranks) {
                ofJob.forEach(set -> sets.set(set,
                        sets.get(set).noting(line + "; those of the others are in directories not given")));
            }
        });
    }

    private static SetParts parts(OfflineRedset redset, ScrScan.FoundSet set, ScrScan scan, SetParts.Places places,
            boolean comparesCrcs) {
        SortedMap<Integer, OwnMember> members = new TreeMap<>();
        List<String> notes = new ArrayList<>();
        set.files().forEach((rank, file) -> {
            ScrMemberFiles files = new ScrMemberFiles(redset.operations(), file, places, comparesCrcs);
            members.put(rank, new OwnMember(file.header().redundancy().own().descriptor(), files,
                    file.asFound(), false));
            file.header().current().files().stream().filter(data -> !data.complete()).forEach(data -> notes.add(
                    data.record().shownName() + ": the application has not said that it is complete (COMPLETE)"));
        });
        List<String> doubts = new ArrayList<>(set.doubts());
        try {
            set.format();
        } catch (IllegalArgumentException | ArithmeticException notOneSet) {
            doubts.add(String.valueOf(notOneSet.getMessage()));
        }
        return new SetParts(set.name(), set.any().header().redundancy().own().descriptor(), members,
                members.firstEntry().getValue().files(), scan.unreadable(), doubts, notes);
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

package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.offline.LostDirectories;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * The sets that SCR itself has written, in some directories.
 *
 * @param lost where the files of lost members go
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

    /** One name for a directory; with links, unless {@code ..} behind a link makes it that of another. */
    private static Path absolute(Path directory) throws IOException {
        Path normalised = directory.toAbsolutePath().normalize();
        return Files.isDirectory(normalised) && Files.isSameFile(normalised, directory)
                ? normalised
                : directory.toRealPath();
    }

    @Override
    public void look(OfflineRedset redset, @Nullable ErasureKernel contents,
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
            SetInspection inspection = new ScrInspector(redset.operations(), set, scan).inspect(places,
                    contents, redset.threads());
            inspection.locations().forEach(location -> explained.add(location.redundancy()));
            sets.add(inspection);
        }
        List<String> problems = new ArrayList<>();
        content.sets().addAll(new ScrJobs(scan.sets(), sets).tellAbsentRanks(problems));
        scan.unreadable().forEach((path, reason) -> {
            if (!explained.contains(path)) {
                content.problems().add(path + ": " + reason);
            }
        });
        scan.unknown().forEach((path, reason) -> content.problems().add(path + ": " + reason));
        content.problems().addAll(problems);
    }

    /**
     * A set that SCR itself has written.
     *
     * @param directories that hold its XOR files, in order
     * @param number of the set, as in the names of its files
     * @param dataset name and id of the data set, for people
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

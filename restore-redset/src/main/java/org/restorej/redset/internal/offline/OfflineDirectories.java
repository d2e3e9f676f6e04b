package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.Progress;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * All sets of some directories: those of redset, each in one directory, and those that SCR itself has written, which
 * may be spread over the directories. Used by one thread; works with several.
 */
public final class OfflineDirectories {
    /** Where SCR hides its own files in a directory of data, after a scavenge. */
    public static final String HIDDEN = ScrScan.HIDDEN;

    private final FileOperations operations = FileOperations.system();
    private final List<Path> directories;
    private final @Nullable Path lostDirectory;
    private final PathPolicy policy;
    private final int threads;
    private final List<OfflineRedset> ofRedset = new ArrayList<>();

    /**
     * Directories to work on.
     *
     * @param directories hold redundancy files
     * @param lostDirectory where the files of members of SCR's sets go whose XOR file is gone, or null where that
     *        follows from what is there
     * @param policy where data files may be
     * @param threads how many work at once
     * @param encodings as {@link OfflineRedset} takes them, each in its directory
     */
    public OfflineDirectories(List<Path> directories, @Nullable Path lostDirectory, PathPolicy policy, int threads,
            Collection<Path> encodings) {
        this.directories = List.copyOf(directories);
        this.lostDirectory = lostDirectory;
        this.policy = policy;
        this.threads = threads;
        for (Path directory : directories) {
            ofRedset.add(new OfflineRedset(directory, policy, threads, encodings.stream()
                    .filter(file -> Files.exists(directory.resolve(String.valueOf(file.getFileName())))).toList()));
        }
    }

    /**
     * What is in the directories.
     *
     * @param ofRedset which files of redset count, by directory
     * @param sets all sets
     * @param problems what is wrong with SCR's files beside sets
     */
    public record Content(List<DirectoryContent> ofRedset, List<SetInspection> sets, List<String> problems) {}

    /** What is missing, by names and sizes. */
    public Content inspect() throws IOException {
        return look(null);
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public Content verify() throws IOException {
        return look(ErasureKernels.preferred());
    }

    private Content look(@Nullable ErasureKernel contents) throws IOException {
        Content content = new Content(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (OfflineRedset redset : ofRedset) {
            content.ofRedset().add(redset.scan());
            content.sets().addAll(contents == null ? redset.inspect() : redset.verify());
        }
        ScrScan scan = ScrScan.of(operations, directories);
        Set<Path> explained = new HashSet<>();
        for (ScrScan.FoundSet set : scan.sets()) {
            SetInspection inspection = new ScrInspector(operations, set, scan.unreadable()).inspect(directories,
                    lostDirectory, policy, contents, threads);
            inspection.locations().forEach(location -> explained.add(location.redundancy()));
            content.sets().add(inspection);
        }
        scan.unreadable().forEach((path, reason) -> {
            if (!explained.contains(path)) {
                content.problems().add(path + ": " + reason);
            }
        });
        content.problems().addAll(scan.problems());
        content.problems().addAll(scan.absentRanks());
        return content;
    }

    /** As {@link OfflineRedset#interruptedHere}, of all directories. */
    public List<Path> interruptedHere() throws IOException {
        List<Path> journals = new ArrayList<>();
        for (OfflineRedset redset : ofRedset) {
            journals.addAll(redset.interruptedHere());
        }
        return journals;
    }

    /** As {@link OfflineRedset#settleInterrupted}, of all directories. */
    public List<Path> settleInterrupted() throws IOException {
        List<Path> moved = new ArrayList<>();
        for (OfflineRedset redset : ofRedset) {
            moved.addAll(redset.settleInterrupted());
        }
        return moved;
    }

    /** Bytes that {@link #rebuild} will tell a progress of. */
    public long workBytes(SetInspection damaged) {
        return new SetRepair(operations, threads).workBytes(damaged);
    }

    /**
     * Repairs all damages of a set, or none.
     *
     * @param damaged what {@link #verify} found; must be repairable
     * @throws IOException when something can't be read or written, or would replace what may be good; nothing is worse
     *         than before then
     */
    public void rebuild(SetInspection damaged, Progress progress) throws IOException {
        new SetRepair(operations, threads).rebuild(damaged, progress);
    }
}

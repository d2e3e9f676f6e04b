package org.restorej.internal.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.internal.program.LaunchedRank;

/**
 * The ancestors of this process. They distinguish a rank from a process that a rank has started, which inherits the
 * launcher's variables but can't initialize MPI instead of the rank.
 */
public final class Ancestors {
    private Ancestors() {}

    /** The ancestors of this process, nearest first. */
    static List<ProcessHandle> ofProcess() {
        List<ProcessHandle> ancestors = new ArrayList<>();
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        while (parent.isPresent()) {
            ancestors.add(parent.get());
            parent = parent.get().parent();
        }
        return ancestors;
    }

    /**
     * The processes that this one must not outlive: its launcher and the processes between the two, or only the parent
     * if there is no known launcher.
     */
    public static List<ProcessHandle> untilLauncher() {
        List<ProcessHandle> ancestors = ofProcess();
        for (int i = 0; i < ancestors.size(); i++) {
            if (startsRanks(ancestors.get(i))) {
                return ancestors.subList(0, i + 1);
            }
        }
        return ancestors.subList(0, Math.min(1, ancestors.size()));
    }

    /** Whether a process starts ranks, by the name of its program. */
    static boolean startsRanks(ProcessHandle process) {
        return process.info().command().map(Path::of)
                .filter(program -> LibrarySearch.isLauncher(program) || program.endsWith("slurmstepd")).isPresent();
    }

    /** Whether a rank has started this process, without a launcher in between. */
    static boolean includeRank(Map<String, String> environment) {
        long rank = LaunchedRank.processId(environment.get(LaunchedRank.VARIABLE));
        if (rank == ProcessHandle.current().pid()) {
            return false;
        }
        for (ProcessHandle ancestor : ofProcess()) {
            if (startsRanks(ancestor)) {
                return false;
            }
            if (ancestor.pid() == rank || hasMpi(ancestor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMpi(ProcessHandle process) {
        return mappedFiles(Long.toString(process.pid())).stream().anyMatch(LibrarySearch::isMpi);
    }

    /**
     * Files that are mapped into a process; none if the system doesn't report them.
     *
     * @param process its id, or {@code self}
     */
    static List<Path> mappedFiles(String process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", process, "maps"))) {
            return lines.filter(line -> line.contains("/") && line.contains(".so"))
                    .map(line -> line.substring(line.indexOf('/'))).distinct().map(Path::of).toList();
        } catch (IOException | UncheckedIOException e) {
            // Another system than Linux, another user's process, or one that has ended.
            return List.of();
        }
    }
}

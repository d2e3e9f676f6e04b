package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.c.CompiledFloor;
import org.restorej.bench.mpi.FileFloor;
import org.restorej.bench.result.JmhResults;

/** The floor of protected files, compiled and measured where that works. One thread. */
final class FloorProgram {
    private static final String NAME = "the floor of protected files, in C: ";

    /** By number of processes; 0 when it could not be compiled. */
    private final SortedMap<Integer, String> leftOut = new TreeMap<>();
    private final @Nullable Path program;

    private FloorProgram(@Nullable Path program) {
        this.program = program;
    }

    /**
     * Compiles it.
     *
     * @param folder where source and program go
     */
    static FloorProgram compiled(Path folder) {
        try {
            return new FloorProgram(CompiledFloor.compile(folder));
        } catch (IOException missing) {
            return without(missing);
        }
    }

    /** One that can't be compiled. */
    static FloorProgram without(IOException missing) {
        FloorProgram none = new FloorProgram(null);
        none.leftOut.put(0, NAME + missing.getMessage());
        return none;
    }

    /**
     * Measures it, if it can be.
     *
     * @param bytes of each process's file
     * @param filesIn where a directory for its files is made
     */
    Optional<JmhResults> run(int processes, long bytes, Path filesIn) throws IOException {
        if (program == null) {
            return Optional.empty();
        }
        Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
        try {
            return Optional.of(FileFloor.run(program, processes, bytes, files));
        } catch (IOException failure) {
            leftOut.put(processes, NAME + processes + " processes: " + failure.getMessage());
            return Optional.empty();
        } finally {
            RankJobs.deleteAll(files);
        }
    }

    /** What was not measured, and why; a line for each number of processes. */
    List<String> leftOut() {
        return List.copyOf(leftOut.values());
    }
}

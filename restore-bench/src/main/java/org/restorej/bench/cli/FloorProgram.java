package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.c.CompiledFloor;
import org.restorej.bench.mpi.FileFloor;
import org.restorej.bench.mpi.SubmitFloor;
import org.restorej.bench.result.JmhResults;

/** A floor: compiled when it is made, and measured until it fails. One thread. */
final class FloorProgram {
    private final String name;
    private final Run run;
    private final List<String> leftOut = new ArrayList<>();
    private final Set<Integer> failedFor = new HashSet<>();
    private final @Nullable Path program;

    /** Runs a compiled program with so many processes. */
    @FunctionalInterface
    interface Run {
        /** Results of a run. */
        JmhResults of(Path program, int processes) throws IOException;
    }

    private FloorProgram(String name, @Nullable Path program, Run run) {
        this.name = name;
        this.program = program;
        this.run = run;
    }

    /**
     * That of protected files.
     *
     * @param folder where source and program go
     * @param bytes of each process's file
     * @param filesIn where a directory for its files is made
     */
    static FloorProgram ofFiles(Path folder, long bytes, Path filesIn) {
        return compiled("the floor of protected files, in C: ", CompiledFloor.FILES, folder, (program, processes) -> {
            Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
            try {
                return FileFloor.run(program, processes, bytes, files);
            } finally {
                RankJobs.deleteAll(files);
            }
        });
    }

    /**
     * That of submits and pulls.
     *
     * @param folder where source and program go
     */
    static FloorProgram ofSubmits(Path folder, LifeSettings settings) {
        return compiled("the floor of submits, in C: ", CompiledFloor.SUBMITS, folder,
                (program, processes) -> SubmitFloor.run(program, processes, settings.bytes(), settings.turns()));
    }

    private static FloorProgram compiled(String name, CompiledFloor floor, Path folder, Run run) {
        try {
            return new FloorProgram(name, floor.compile(folder), run);
        } catch (IOException missing) {
            return without(name, missing);
        }
    }

    /** One that can't be compiled. */
    static FloorProgram without(String name, IOException missing) {
        FloorProgram none = new FloorProgram(name, null, (program, processes) -> {
            throw new IOException("there is no program");
        });
        none.leftOut.add(name + missing.getMessage());
        return none;
    }

    /** Measures it, if it can be and has not failed with so many processes before. */
    Optional<JmhResults> run(int processes) {
        if (program == null || failedFor.contains(processes)) {
            return Optional.empty();
        }
        try {
            return Optional.of(run.of(program, processes));
        } catch (IOException failure) {
            failedFor.add(processes);
            leftOut.add(name + processes + " processes: " + failure.getMessage());
            return Optional.empty();
        }
    }

    /** What was not measured, and why. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }
}

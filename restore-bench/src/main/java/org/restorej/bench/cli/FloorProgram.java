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
     * Compiles one.
     *
     * @param folder where source and program go
     * @param filesIn where a directory for files is made
     */
    static FloorProgram compiled(CompiledFloor floor, Path folder, LifeSettings settings, Path filesIn) {
        try {
            return new FloorProgram(nameOf(floor), floor.compile(folder), switch (floor) {
                case FILES -> (program, processes) -> ofFiles(program, processes, settings.fileBytes(), filesIn);
                case SUBMITS -> (program, processes) -> SubmitFloor.run(program, processes, settings.bytes(),
                        settings.turns());
            });
        } catch (IOException missing) {
            return without(floor, missing);
        }
    }

    private static String nameOf(CompiledFloor floor) {
        return switch (floor) {
            case FILES -> "the floor of protected files, in C";
            case SUBMITS -> "the floor of submits, in C";
        };
    }

    private static JmhResults ofFiles(Path program, int processes, long bytes, Path filesIn) throws IOException {
        Path files = Files.createTempDirectory(filesIn, "restorej-bench.");
        // The program removes its files when it is told to stop.
        files.toFile().deleteOnExit();
        try {
            return FileFloor.run(program, processes, bytes, files);
        } finally {
            RankJobs.deleteAll(files);
        }
    }

    /** One that can't be measured. */
    static FloorProgram without(CompiledFloor floor, IOException why) {
        FloorProgram none = new FloorProgram(nameOf(floor), null, (program, processes) -> {
            throw why;
        });
        none.leftOut.add(none.name + ": " + why.getMessage());
        return none;
    }

    /** What it is. */
    String name() {
        return name;
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
            leftOut.add(name + ": " + processes + " processes: " + failure.getMessage());
            return Optional.empty();
        }
    }

    /** What was not measured, and why. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }
}

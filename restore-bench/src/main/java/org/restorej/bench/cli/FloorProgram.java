package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.mpi.SubmitFloor;
import org.restorej.bench.result.JmhResults;

/** The floor of submits: compiled when it is made, and measured until it fails. One thread. */
final class FloorProgram {
    static final String NAME = "the lower bound of submits, in C";

    private final List<String> leftOut = new ArrayList<>();
    private final Set<Integer> failedFor = new HashSet<>();
    private final @Nullable Path program;
    private final LifeSettings settings;

    private FloorProgram(@Nullable Path program, LifeSettings settings) {
        this.program = program;
        this.settings = settings;
    }

    /**
     * Compiles it.
     *
     * @param folder where source and program go
     */
    static FloorProgram compiled(Path folder, LifeSettings settings) {
        try {
            return new FloorProgram(SubmitFloor.compile(folder), settings);
        } catch (IOException missing) {
            return without(missing, settings);
        }
    }

    /** One that can't be measured. */
    static FloorProgram without(IOException why, LifeSettings settings) {
        FloorProgram none = new FloorProgram(null, settings);
        none.leftOut.add(NAME + ": " + why.getMessage());
        return none;
    }

    /** Measures it, if it can be and has not failed with so many processes before. */
    Optional<JmhResults> run(int processes) {
        if (program == null || failedFor.contains(processes)) {
            return Optional.empty();
        }
        try {
            return Optional.of(SubmitFloor.run(program, processes, settings.bytes(), settings.turns()));
        } catch (IOException failure) {
            failedFor.add(processes);
            leftOut.add(NAME + ": " + processes + " processes: " + failure.getMessage());
            return Optional.empty();
        }
    }

    /** What was not measured, and why. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }
}

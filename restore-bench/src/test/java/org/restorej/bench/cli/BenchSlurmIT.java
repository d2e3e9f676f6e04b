package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;
import org.restorej.testing.ProjectFolder;

/** {@code bin/bench.slurm} under a Slurm, with hardly anything to measure. */
@Deep
class BenchSlurmIT {
    private static final int NODES = 2;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void measuresOnOneNodeAndOnAll() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        try (Nodes nodes = Nodes.upWithSlurm(NODES)) {
            run(nodes, List.of(), "", "--only", "Barrier");
            assertEquals(
                    Set.of("1 org.restorej.bench.mpi.BarrierBenchmark", "2 org.restorej.bench.mpi.BarrierBenchmark"),
                    measured(folder.resolve("results")));
        }
    }

    @Test
    void tasksOfAnArrayHaveOptionsAndResultsOfTheirOwn() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path tasks = Files.writeString(folder.resolve("tasks"), "--only Barrier\n--only Submit");
        try (Nodes nodes = Nodes.upWithSlurm(NODES)) {
            run(nodes, List.of("--array=1-3"), ",RESTOREJ_TASKS=" + tasks);
            assertEquals(
                    Set.of("1 org.restorej.bench.mpi.BarrierBenchmark", "2 org.restorej.bench.mpi.BarrierBenchmark"),
                    measured(folder.resolve("results/1")));
            Set<String> submits = measured(folder.resolve("results/2"));
            assertFalse(submits.isEmpty(), "nothing was measured");
            assertTrue(submits.stream().allMatch(name -> name.endsWith("SubmitBenchmark")), submits::toString);
            assertTrue(Files.readString(folder.resolve("3.log")).contains("RESTOREJ_TASKS: no line 3 in " + tasks));
        }
    }

    private void run(Nodes nodes, List<String> options, String variables, String... arguments) {
        List<String> words = new ArrayList<>(List.of("--nodes=" + NODES, "--ntasks-per-node=1",
                "--output=" + folder.resolve("%a.log"), "--export=ALL,RESTOREJ_PROJECT=" + ProjectFolder.root()
                        + ",RESTOREJ_FILES=" + folder.resolve("files") + ",RESTOREJ_RESULTS="
                        + folder.resolve("results")
                        + variables));
        words.addAll(options);
        words.addAll(
                List.of(ProjectFolder.root().resolve("bin/bench.slurm").toString(), "--bytes", "64KiB", "--iterations",
                        "1"));
        words.addAll(List.of(arguments));
        nodes.runBatch(words.toArray(String[]::new));
    }

    /** Numbers of ranks, and names of benchmarks. */
    private static Set<String> measured(Path results) throws IOException {
        Set<String> measured = new TreeSet<>();
        for (JsonNode result : new ObjectMapper().readTree(results.resolve("results.json").toFile())) {
            String name = result.get("benchmark").asText();
            measured.add(result.get("params").get("pes").asText() + " " + name.substring(0, name.lastIndexOf('.')));
        }
        return measured;
    }
}

package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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
            run(nodes, List.of(), "--only", "Barrier");
            assertEquals(
                    Set.of("1 org.restorej.bench.mpi.BarrierBenchmark", "2 org.restorej.bench.mpi.BarrierBenchmark"),
                    measured(folder.resolve("results")));
        }
    }

    @Test
    void tasksOfAnArrayHaveResultsOfTheirOwn() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        try (Nodes nodes = Nodes.upWithSlurm(NODES)) {
            run(nodes, List.of("--array=1-2"), "--only", "Barrier");
            for (String task : List.of("1", "2")) {
                assertEquals(Set.of("1 org.restorej.bench.mpi.BarrierBenchmark",
                        "2 org.restorej.bench.mpi.BarrierBenchmark"), measured(folder.resolve("results/" + task)));
            }
        }
    }

    private void run(Nodes nodes, List<String> options, String... arguments) {
        List<String> words = new ArrayList<>(List.of("--nodes=" + NODES, "--ntasks-per-node=1",
                "--output=" + folder.resolve("%a.log"), "--export=ALL,RESTOREJ_PROJECT=" + ProjectFolder.root()
                        + ",RESTOREJ_FILES=" + folder.resolve("files") + ",RESTOREJ_RESULTS="
                        + folder.resolve("results")));
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

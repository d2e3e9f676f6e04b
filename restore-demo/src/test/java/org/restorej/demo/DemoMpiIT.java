package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiInstallations;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** The packaged demo under one MPI or another. */
class DemoMpiIT {
    private static final String PHYLO = "phylo --iterations 6";

    @TempDir
    private Path folder = Path.of("");

    private static JsonNode json(Map<String, String> environment, String options) throws Exception {
        ProcessRun run = ProcessRun.script(environment, "demo",
                (options + " --transport mpi --pes 3 --fail 1@3 --json")
                        .split(" "));
        assertEquals(0, run.exitCode(), run::describe);
        JsonNode json = new ObjectMapper().readTree(run.output());
        assertEquals(2, json.get("pesLeft").asInt(), run::describe);
        assertEquals("finished", json.get("outcome").asText(), run::describe);
        return json;
    }

    private static void assertUnder(String mpi, JsonNode json) {
        assertTrue(json.get("mpi").asText().startsWith(mpi), json::toString);
    }

    @Deep
    @ParameterizedTest
    @ValueSource(strings = {"mpich", "openmpi6", "mpich5", "abi-openmpi", "abi-mpich"})
    void runsUnderAnyMpiThatIsNamed(String mpi) throws Exception {
        MpiInstallations.require(mpi);
        assertUnder(mpi.contains("mpich") ? "MPICH Version: " : "Open MPI v", json(Map.of(), PHYLO + " --mpi " + mpi));
    }

    /** Like this machine, but that nothing was ever made by bin/bootstrap. */
    private Map<String, String> bare() throws IOException {
        return Map.of("XDG_CACHE_HOME", Files.createDirectories(folder.resolve("cache")).toString(), "RESTOREJ_AOT",
                "no");
    }

    @Deep
    @Test
    void runWithNothingButTheMpiOfTheDistribution() throws Exception {
        MpiInstallations.require("openmpi");
        assertUnder("Open MPI v" + MpiInstallations.fact("version"), json(bare(), PHYLO));
        ProcessRun run = ProcessRun.script(bare(), "demo", "--transport", "mpi", "--pes", "2", "--mpi", "mpich5");
        assertEquals(1, run.exitCode(), run::describe);
        assertTrue(run.errors().contains("no MPI of the name mpich5 found: run bin/bootstrap --openmpi6"),
                run::describe);
    }

    @Deep
    @Test
    void takeMpichWhereThereIsNoOpenMpi() throws Exception {
        MpiInstallations.require("mpich");
        Map<String, String> environment = Map.of("PATH", pathWithoutOpenMpi(), "OMPI_HOME", "",
                "OPAL_PREFIX", "");
        String[] options = "phylo --iterations 3 --fail 1@2 --transport mpi --pes 2 --json"
                .split(" ");
        ProcessRun run = ProcessRun.script(environment, "demo", options);
        assertEquals(0, run.exitCode(), run::describe);
        JsonNode result = new ObjectMapper().readTree(run.output());
        assertUnder("MPICH", result);
        assertEquals(1, result.get("pesLeft").asInt(), run::describe);
    }

    /** The PATH of a machine whose mpirun is not that of Open MPI. */
    private String pathWithoutOpenMpi() throws IOException {
        for (String name : List.of("mpirun", "mpirun.openmpi")) {
            ProcessRun.writeScript(folder.resolve(name), "#!/bin/sh\necho another MPI\n");
        }
        return folder + ":" + System.getenv("PATH");
    }
}

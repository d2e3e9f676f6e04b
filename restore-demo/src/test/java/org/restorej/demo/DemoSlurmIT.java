package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;
import org.restorej.testing.ProjectFolder;

/** The packaged program in jobs of Slurm. */
@Deep
class DemoSlurmIT {
    @TempDir
    private Path folder = Path.of("");

    /** Each a job on all nodes, in which another rank is killed. */
    @Test
    void killsARankInEachTaskOfAnArray() throws IOException {
        MpiFlavour.ULFM.require();
        Path script = Files.writeString(folder.resolve("demo.sh"), """
                #!/bin/bash
                exec '%s' --transport mpi --pes "$SLURM_NTASKS" --kill "$SLURM_ARRAY_TASK_ID@3" --json
                """.formatted(ProjectFolder.root().resolve("bin/demo")));
        try (Nodes nodes = Nodes.upWithSlurm(3)) {
            nodes.runBatch("--nodes=3", "--ntasks-per-node=2", "--array=1,4", "--output=" + folder.resolve("%a.json"),
                    "--error=" + folder.resolve("%a.log"), script.toString());
        }
        for (int victim : new int[]{1, 4}) {
            JsonNode json = new ObjectMapper().readTree(folder.resolve(victim + ".json").toFile());
            assertEquals(-5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
            assertEquals(5, json.get("pesLeft").asInt());
            assertTrue(json.get("processesKilled").asBoolean());
        }
    }
}

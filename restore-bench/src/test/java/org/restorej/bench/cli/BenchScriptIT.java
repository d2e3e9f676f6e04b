package org.restorej.bench.cli;

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
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** The benchmark suite, as users start it, with hardly anything to measure. */
class BenchScriptIT {
    @TempDir
    private Path folder = Path.of("");

    @Deep
    @Test
    void writesResultsReportAndPlots() throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        ProcessRun run = ProcessRun.script("bench", "--no-jvm", "--only", "Submit", "--pes", "2", "--bytes",
                "64KiB,128KiB",
                "--iterations", "1", "--out", folder.toString());
        assertEquals(0, run.exitCode(), run::describe);
        assertEquals(folder.resolve("report.md") + System.lineSeparator(), run.output(), run::describe);
        JsonNode results = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
        assertEquals("2", results.get(0).get("params").get("pes").asText());
        String report = Files.readString(folder.resolve("report.md"));
        assertTrue(report.contains("| wire "), report);
        assertTrue(report.contains("(plots/Submit-over-bytes-a-rank.svg)"), report);
        assertTrue(Files.exists(folder.resolve("plots/Submit-over-bytes-a-rank.svg")), report);
    }

    @Test
    void saysWhatIsWrong() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.script("restore", "bench", "--pes", "none", "--iterations", "0");
        assertEquals(2, run.exitCode(), run::describe);
        assertEquals(2, run.errors().lines().count(), run::describe);
    }
}

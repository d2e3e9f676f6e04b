package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.RestoreCommand;
import org.restorej.cli.testing.SvgText;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.demo.phylo.Primates;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** The packaged program, as users start it. */
class DemoScriptIT {
    @TempDir
    private Path folder = Path.of("");

    private static JsonNode json(ProcessRun run) throws IOException {
        assertEquals(0, run.exitCode(), run::describe);
        return new ObjectMapper().readTree(run.output());
    }

    @Test
    void losesTwoThreadsAndHasTheAnswerOfIqTree() throws IOException, InterruptedException {
        JsonNode json = json(ProcessRun.script("demo", "--json"));
        assertEquals(-5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
        assertEquals(6, json.get("pesLeft").asInt());
    }

    @Test
    void findsMistakesBeforeMpiIsStarted() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.script("demo", "--transport", "mpi", "--pes", "4", "--fail", "4@1");
        assertEquals(2, run.exitCode(), run::describe);
        assertEquals("", run.output());
        assertFalse(run.errors().isBlank(), run::describe);
        assertTrue(run.errors().lines().allMatch(line -> line.startsWith("restore: ")), run::describe);
    }

    /** Where a kill ends the job: it is started again, and goes on from the iteration before. */
    @Deep
    @ParameterizedTest
    @CsvSource({"evaluate, 2@5, openmpi, 4", "optimize, '1@2,0@3', openmpi, 2", "evaluate, 2@5, mpich, 4",
            "optimize, '1@2,0@3', mpich, 2"})
    void jobsThatKillsEndAreStartedAgainAndHaveTheSameBits(String mode, String kills, String mpi, int before)
            throws IOException, InterruptedException {
        (mpi.equals("mpich") ? MpiFlavour.MPICH : MpiFlavour.OPEN_MPI).require();
        String[] run = {"--pes", "4", "--iterations", "6", "--mode", mode, "--json"};
        ProcessRun killed = ProcessRun.script("demo", Stream.concat(Stream.of(run),
                Stream.of("--restarts", "2", "--mpi", mpi, "--kill", kills)).toArray(String[]::new));
        assertEquals(0, killed.exitCode(), killed::describe);
        // MPICH's launcher says on standard output, too, that a rank was killed.
        JsonNode json = new ObjectMapper().readTree(killed.output().substring(killed.output().indexOf("{\n")));
        int count = kills.split(",").length;
        // Each kill, and nothing else, has ended the job once.
        assertEquals(count, killed.errors().lines().filter(line -> line.contains("is started again")).count(),
                killed::describe);
        assertEquals(count, killed.errors().lines().filter(line -> line.contains("going on from iteration ")).count(),
                killed::describe);
        assertTrue(killed.errors().contains("going on from iteration " + before), killed::describe);
        assertTrue(json.get("agrees").asBoolean(), killed::describe);
        assertTrue(json.get("processesKilled").asBoolean(), killed::describe);
        assertEquals(4, json.get("pesLeft").asInt());
        JsonNode unharmed = json(ProcessRun.script("demo",
                Stream.concat(Stream.of(run), Stream.of("--fail", "none")).toArray(String[]::new)));
        for (String result : List.of("logLikelihood", "alpha", "iterations")) {
            assertEquals(unharmed.get(result), json.get(result), "to the last bit");
        }
    }

    private static void awaitFile(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(20);
        }
    }

    @Deep
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Test
    void aJobThatWasKilledGoesOnFromItsFilesWithAnotherNumberOfPes() throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        String[] quick = {"--fail", "none", "--iterations", "1", "--json"};
        double expected = json(ProcessRun.script("demo", quick)).get("logLikelihood").asDouble();
        try (MpiJob job = MpiJob.of(RestoreCommand.class, 4).arguments("demo", "phylo", "--transport", "mpi", "--pes",
                "4", "--fail", "none", "--iterations", "100000000", "--files", folder.toString()).start()) {
            awaitFile(folder.resolve("demo/checkpoint.2"));
            job.kill(2);
            assertNotEquals(0, job.await().exitCode(), "no rank survives another");
        }
        for (String pes : List.of("3", "5")) {
            ProcessRun again = ProcessRun.script("demo", Stream.concat(Stream.of("--transport", "mpi", "--pes", pes,
                    "--files", folder.toString()), Stream.of(quick)).toArray(String[]::new));
            assertEquals(expected, json(again).get("logLikelihood").asDouble(), "to the last bit");
            assertTrue(again.errors().contains("going on from iteration "), again::describe);
        }
    }

    /** By the process that has started the ranks, which leaves nothing else behind. */
    private void assertDrawn(Path picture, String... notes) throws IOException {
        List<String> texts = SvgText.of(picture).all("text");
        for (String note : notes) {
            assertTrue(texts.stream().anyMatch(text -> text.startsWith(note)), () -> note + " is not in " + texts);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertTrue(files.noneMatch(file -> file.toString().contains("trace")));
        }
    }

    /** By a command of README.md. */
    @Deep
    @Test
    void drawsARunInWhichProcessesAreKilled() throws IOException, InterruptedException {
        MpiFlavour.ULFM.require();
        SvgText.requireFonts();
        Path values = folder.resolve("values");
        Path picture = folder.resolve("run.svg");
        JsonNode json = json(ProcessRun.script("demo", "--transport", "mpi", "--pes", "4", "--kill", "0@2,3@4",
                "--json", "--site-values", values.toString(), "--picture", picture.toString()));
        assertEquals(-5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
        assertEquals(2, json.get("pesLeft").asInt());
        assertTrue(json.get("processesKilled").asBoolean());
        assertTrue(json.at("/recoveries/0/millis/detection").asDouble() > 0);
        Primates.requireSiteLogLikelihoods("primates.gtrg4.sitelh", values);
        assertDrawn(picture, "PE 0 fails in iteration 2, recovered after",
                "PE 3 fails in iteration 4, recovered after");
    }
}

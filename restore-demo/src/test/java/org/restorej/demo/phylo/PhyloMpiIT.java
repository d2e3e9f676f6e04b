package org.restorej.demo.phylo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.cli.RestoreCommand;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;

/** The demo's ranks under real mpirun, against the answers of IQ-TREE 2.0.7. */
class PhyloMpiIT {
    @TempDir
    private Path folder = Path.of("");

    private static MpiResult run(MpiFlavour flavour, int ranks, String options) {
        flavour.require();
        String[] arguments = Stream.concat(Stream.of("demo", "phylo", "--transport", "mpi"),
                Stream.of(options.split(" "))).toArray(String[]::new);
        return MpiJob.of(RestoreCommand.class, ranks).on(flavour).arguments(arguments).run();
    }

    /** The result, which the lowest rank alive has printed and no other. */
    private static JsonNode json(MpiResult result, int lowestAlive) throws IOException {
        result.requireSuccess();
        for (int rank = 0; rank < result.outputs().size(); rank++) {
            assertEquals(rank == lowestAlive, result.output(rank).contains("\"logLikelihood\""), result::describe);
        }
        String output = result.output(lowestAlive);
        return new ObjectMapper().readTree(output.substring(output.indexOf('{')));
    }

    /** A run in which ranks only count as failed. */
    record Failures(int ranks, String options, String model) {}

    static List<Failures> failures() {
        return List.of(new Failures(4, "--fail 3@1,1@1", Primates.GTR_GAMMA), new Failures(1, "--fail none", "JC"),
                new Failures(8, "--fail 2@2,6@3", Primates.GTR_GAMMA),
                new Failures(3, "--fail 1@2", "JC"), new Failures(3, "--fail none", "JC"),
                new Failures(8, "--fail none", "JC"));
    }

    @Deep
    @ParameterizedTest
    @MethodSource("failures")
    void hasTheAnswersOfIqTreeWhoeverIsMadeToFail(Failures failures) throws IOException {
        Path values = folder.resolve("values");
        JsonNode json = json(run(MpiFlavour.OPEN_MPI, failures.ranks(), "--pes " + failures.ranks()
                + " --iterations 3 --json --model " + failures.model() + " --site-values " + values + " "
                + failures.options()), 0);
        boolean jukesCantor = failures.model().equals("JC");
        assertEquals(jukesCantor ? -6745.0906 : -5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
        assertEquals(failures.ranks() - json.get("plannedFailures").size(), json.get("pesLeft").asInt());
        Primates.requireSiteLogLikelihoods(jukesCantor ? "primates.jc.sitelh" : "primates.gtrg4.sitelh", values);
    }

    @Test
    void survivesTwoKilledProcesses() throws IOException {
        Path values = folder.resolve("values");
        MpiResult result = run(MpiFlavour.ULFM, 4, "--pes 4 --iterations 4 --json --kill 0@2,1@3 --site-values "
                + values);
        JsonNode json = json(result, 2);
        assertEquals(-5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
        assertEquals(2, json.get("pesLeft").asInt());
        assertTrue(json.get("processesKilled").asBoolean());
        assertTrue(json.at("/recoveries/0/millis/detection").asDouble() > 0);
        Primates.requireSiteLogLikelihoods("primates.gtrg4.sitelh", values);
    }

    @Deep
    @Test
    void optimizesInSpiteOfProcessesThatAreKilled() throws IOException {
        JsonNode json = json(run(MpiFlavour.ULFM, 4, "--pes 4 --mode optimize --json --kill 1@1,3@2"), 0);
        assertEquals(-5719.428, json.get("logLikelihood").asDouble(), 1e-2);
        assertEquals(2, json.get("pesLeft").asInt());
    }

    @Deep
    @Test
    void namesPatternsThatAreLostWithKilledProcesses() {
        MpiResult result = run(MpiFlavour.ULFM, 4, "--pes 4 --replication 2 --kill 0@2,2@2");
        assertEquals(1, result.exitCode(), result::describe);
        assertTrue(result.output(1).contains("have failed (PEs 0,2): patterns"), result::describe);
        assertFalse(result.output(1).contains("\tat "), result::describe);
    }

    @Deep
    @Test
    void endsToBeContinuedWhenAllHoldersOfPatternsAreKilled() {
        String run = "--pes 4 --replication 2 --files " + folder + " --kill ";
        MpiResult result = run(MpiFlavour.ULFM, 4, run + "0@2,2@2");
        assertEquals(Mpi.EXIT_CODE_CONTINUED, result.exitCode(), result::describe);
        assertTrue(result.output(1).contains("goes on from iteration 1"), result::describe);
    }

    @Deep
    @Test
    void refusesToKillWhereNobodyWouldSurvive() {
        MpiResult result = run(MpiFlavour.OPEN_MPI, 3, "--pes 3 --kill 1@2");
        assertEquals(2, result.exitCode(), result::describe);
        assertTrue(result.output(0).contains("--kill needs an MPI that survives"), result::describe);
        assertEquals("", result.output(1));
    }

    @Deep
    @Test
    void refusesAnotherNumberOfRanks() {
        MpiResult result = run(MpiFlavour.OPEN_MPI, 3, "--pes 4");
        assertEquals(2, result.exitCode(), result::describe);
        assertTrue(result.output(0).contains("--pes must be the number of ranks that mpirun has started, 3: --pes=4"),
                result::describe);
        assertEquals("", result.output(2));
    }

    @Deep
    @Test
    void reportsMistakesOnce() {
        MpiResult result = run(MpiFlavour.OPEN_MPI, 2, "--pes 2 --fail 2@1");
        assertEquals(2, result.exitCode(), result::describe);
        assertTrue(result.output(0).contains("--fail: the rank must be in 0..1: 2@1"), result::describe);
        assertEquals("", result.output(1));
    }
}

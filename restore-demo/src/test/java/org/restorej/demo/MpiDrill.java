package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.stream.Stream;
import org.restorej.cli.RestoreCommand;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;

/** Runs drills under real mpirun. */
public final class MpiDrill {
    private MpiDrill() {}

    /**
     * The result of a drill, which the lowest rank alive has printed and no other.
     *
     * @param options of the command line behind {@code demo}, without transport, PEs and output
     */
    public static JsonNode json(MpiFlavour flavour, int ranks, int lowestAlive, String options) throws IOException {
        flavour.require();
        String[] arguments = Stream.of(
                ("demo " + options + " --transport mpi --output json --pes " + ranks).split(" "))
                .toArray(String[]::new);
        MpiResult result = MpiJob.of(RestoreCommand.class, ranks).on(flavour).arguments(arguments).run();
        result.requireSuccess();
        for (int rank = 0; rank < ranks; rank++) {
            assertEquals(rank == lowestAlive, result.output(rank).contains("\"outcome\""), result::describe);
        }
        String output = result.output(lowestAlive);
        JsonNode json = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        assertTrue(json.get("agrees").asBoolean(), result::describe);
        assertEquals(ranks - json.get("plannedFailures").size(), json.get("pesLeft").asInt(), result::describe);
        assertEquals(flavour == MpiFlavour.ULFM, json.get("processesKilled").asBoolean(), result::describe);
        return json;
    }
}

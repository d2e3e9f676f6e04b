package org.restorej.demo.kmeans;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.restorej.cli.testing.CommandRun;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.demo.MpiDrill;
import org.restorej.testing.Deep;

/** k-means on ranks under mpirun clusters as on a single thread. */
@Deep
class KMeansMpiIT {
    private static final String SMALL = "kmeans --points 3000 --dimensions 8 --clusters 7 --iterations 6";

    private static void assertSameAsAlone(JsonNode json) throws IOException {
        JsonNode alone = CommandRun.of("demo " + SMALL + " --output json --pes 1").json();
        for (String bits : new String[]{"inertia", "assignmentHash", "clusterSizes"}) {
            assertEquals(alone.get(bits), json.get(bits), bits);
        }
    }

    @Test
    void clustersTheSameWhenRanksFail() throws IOException {
        assertSameAsAlone(MpiDrill.json(MpiFlavour.OPEN_MPI, 4, 1, SMALL + " --fail 0@2,3@4"));
    }

    @Test
    void clustersTheSameWhenProcessesAreKilled() throws IOException {
        assertSameAsAlone(MpiDrill.json(MpiFlavour.ULFM, 4, 1, SMALL + " --kill 0@2,3@4"));
    }
}

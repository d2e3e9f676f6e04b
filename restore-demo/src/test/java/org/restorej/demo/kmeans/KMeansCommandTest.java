package org.restorej.demo.kmeans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.testing.CommandRun;

class KMeansCommandTest {
    private static final String SMALL = "demo kmeans --points 2000 --dimensions 4 --clusters 5 --iterations 6 ";

    @Test
    void losesTwoOfEightPesByDefault() throws IOException {
        JsonNode json = CommandRun.of(SMALL + "--output json").json();
        assertEquals("kmeans", json.get("program").asText());
        assertEquals(6, json.get("pesLeft").asInt());
        assertEquals(2, json.get("recoveries").size());
        assertEquals(250, json.at("/recoveries/0/blocksPulled").asInt());
        assertEquals("finished", json.get("outcome").asText());
        assertTrue(json.get("agrees").asBoolean());
        assertEquals(5, json.get("clusterSizes").size());
        assertTrue(json.at("/millis/withoutStoreAndFailures").asDouble() > 0);
        assertTrue(json.get("overhead").isNumber());
        JsonNode alone = CommandRun.of(SMALL + "--output json --pes 1").json();
        assertEquals(alone.get("inertia"), json.get("inertia"));
        assertEquals(alone.get("assignmentHash"), json.get("assignmentHash"));
    }

    @Test
    void writesAReportForPeople() {
        CommandRun run = CommandRun.of(SMALL + "--kill 2@2,6@3");
        assertEquals(0, run.exitCode(), run::errors);
        for (String text : List.of("2000 points of 4 dimensions", "2 @ 2", "6 @ 3", "6 of 8", "inertia", "overhead",
                "the same to the last bit")) {
            assertTrue(run.output().contains(text), () -> text + " is not in\n" + run.output());
        }
        assertTrue(run.errors().contains("iteration 6 of 6: inertia"), run::errors);
        assertTrue(run.errors().contains("PE 6 failed"), run::errors);
    }

    @Test
    void clustersCodedPointsAsReplicatedOnesWhoeverIsKilled() throws IOException {
        String kills = "--pes 7 --kill 2@2,6@2,0@4 ";
        JsonNode coded = CommandRun.of(SMALL + kills + "--coded 4+2 --json").json();
        JsonNode copied = CommandRun.of(SMALL + kills + "--json").json();
        assertEquals("4+2", coded.get("coded").asText());
        assertFalse(coded.has("replication"));
        assertEquals(2, coded.get("recoveries").size());
        assertEquals(4, coded.get("pesLeft").asInt());
        assertTrue(coded.get("agrees").asBoolean());
        assertEquals(copied.get("inertia"), coded.get("inertia"));
        assertEquals(copied.get("assignmentHash"), coded.get("assignmentHash"));
        CommandRun text = CommandRun.of(SMALL + "--coded 2+1 --kill 1@3");
        assertEquals(0, text.exitCode(), text::errors);
        assertTrue(text.output().contains("on 8 PEs (threads), each block coded 2+1, in parts on 3 of them"),
                text::output);
        assertTrue(text.output().contains("the same to the last bit"), text::output);
    }

    @Test
    void losesCodedPointsWithOneFailureTooMany() throws IOException {
        CommandRun run = CommandRun.of(SMALL + "--json --pes 6 --coded 4+2 --kill 1@3,3@3,4@3");
        assertEquals(1, run.exitCode());
        assertEquals("blocksLost", run.anyJson().get("outcome").asText());
        assertTrue(run.errors().contains("data loss in iteration 3: more than 2 of 6 holders of 1010 blocks have "
                + "failed (PEs 1,3,4)"), run::errors);
    }

    @Test
    void namesLostPointsAndExitsWithOne() throws IOException {
        CommandRun run = CommandRun.of(SMALL + "--output json --pes 4 --replication 2 --fail 1@3,3@3");
        assertEquals(1, run.exitCode());
        assertEquals("blocksLost", run.anyJson().get("outcome").asText());
        assertTrue(
                run.errors().contains("data loss in iteration 3: all 2 holders of 1000 blocks have failed (PEs 1,3)"),
                run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--points 0 | --points must be at least 1: --points=0",
            "--dimensions 0 | --dimensions must be at least 1", "--clusters 0 | --clusters must be in 1..65536",
            "--points 5 --clusters 6 | --clusters must be in 1..5, the number of points: --clusters=6",
            "--iterations 0 | --iterations must be at least 1",
            "--points 67108864 | --points times --dimensions must be at most 2147483647",
            "--kill 8@1 | --kill: the rank must be in 0..7: 8@1", "--fail 1@21 | the iteration must be in 1..20",
            "--replication 9 | --replication must be in 1..8",
            "--coded 8+2 | --coded must have at most 8 parts together, the number of PEs: --coded=8+2",
            "--coded 4 | --coded must be numbers of data and parity parts, K+M as in 8+2: --coded=4",
            "--coded 2+1 --replication 3 | only one of --replication and --coded can be given",
            "--points x | '--points'"})
    void saysWhatIsWrong(String options, String message) {
        CommandRun run = CommandRun.of("demo kmeans " + options);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().contains(message), run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
    }
}

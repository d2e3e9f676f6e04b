package org.restorej.demo.pagerank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.testing.CommandRun;

class PageRankCommandTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsEdgesAndWritesRanks() throws IOException {
        Path graph = Files.writeString(folder.resolve("graph"), KnownGraph.TEXT);
        Path ranks = folder.resolve("ranks");
        CommandRun run = CommandRun
                .of("demo pagerank --iterations 260 --pes 5 --kill 1@2,3@9 --graph " + graph + " --ranks " + ranks);
        assertEquals(0, run.exitCode(), run::errors);
        for (String text : List.of("11 vertices, 17 edges", "1 @ 2", "3 @ 9", "3 of 5", "rank of B", "0.384400949",
                "overhead", "the same to the last bit")) {
            assertTrue(run.output().contains(text), () -> text + " is not in\n" + run.output());
        }
        List<String> lines = Files.readAllLines(ranks);
        assertEquals(11, lines.size());
        for (String line : lines) {
            String[] words = line.split("\t", -1);
            assertEquals(KnownGraph.rank(words[0]), Double.parseDouble(words[1]), 1e-15, line);
        }
    }

    @Test
    void losesTwoOfEightPesByDefault() throws IOException {
        JsonNode json = CommandRun.of("demo pagerank --vertices 500 --iterations 9 --output json").json();
        assertEquals("pagerank", json.get("program").asText());
        assertEquals(10_000, json.get("edges").asInt());
        assertEquals(6, json.get("pesLeft").asInt());
        assertEquals(1250, json.at("/recoveries/0/blocksPulled").asInt());
        assertEquals(1250 * 8, json.at("/recoveries/0/bytesPulled").asInt());
        assertEquals(10, json.get("top").size());
        assertTrue(json.get("agrees").asBoolean());
    }

    @Test
    void ranksByCodedEdgesAsByReplicatedOnes() throws IOException {
        String run = "demo pagerank --vertices 500 --iterations 9 --json --kill 1@2,5@2,6@7 ";
        JsonNode coded = CommandRun.of(run + "--coded 4+2").json();
        assertEquals("4+2", coded.get("coded").asText());
        assertEquals(5, coded.get("pesLeft").asInt());
        assertTrue(coded.get("agrees").asBoolean());
        assertEquals(CommandRun.of(run).json().get("top"), coded.get("top"));
    }

    @Test
    void namesLostEdgesAndExitsWithOne() throws IOException {
        CommandRun run = CommandRun.of("demo pagerank --vertices 50 --edges 400 --iterations 3 --output json --pes 4 "
                + "--replication 2 --fail 1@3,3@3");
        assertEquals(1, run.exitCode());
        assertEquals("blocksLost", run.anyJson().get("outcome").asText());
        assertTrue(run.errors().contains("data loss in iteration 3: all 2 holders of 200 blocks have failed (PEs 1,3)"),
                run::errors);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--vertices 0 | --vertices must be at least 1: --vertices=0",
            "--edges 0 | --edges must be at least 1: --edges=0",
            "--edges 1073741824 | --edges must be at most 1073741823",
            "--damping 1 | --damping must be at least 0 and less than 1: --damping=1.0",
            "--damping -0.1 | --damping must be at least 0",
            "--damping NaN | '--damping': must be a number, of the digits 0 to 9 and a point: 'NaN'",
            "--iterations 0 | --iterations must be at least 1", "--graph missing.txt | graph not found: missing.txt",
            "--graph missing.txt --edges 5 | --vertices and --edges are for the random graph",
            "--ranks missing/folder | --ranks must be a file that can be written",
            "--kill 8@1 | --kill: the rank must be in 0..7: 8@1", "--fail 1@101 | the iteration must be in 1..100"})
    void saysWhatIsWrong(String options, String message) {
        CommandRun run = CommandRun.of("demo pagerank " + options);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().contains(message), run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
    }
}

package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.command.InputText;
import org.restorej.cli.testing.CommandRun;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.PhyloCommand;
import org.restorej.demo.phylo.Primates;

class DemoCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static CommandRun demo(String options) {
        return CommandRun.of(Stream.concat(Stream.of("demo"),
                Stream.of(options.split(" ")).filter(word -> !word.isEmpty())).toArray(String[]::new));
    }

    /** The one JSON object on standard output. */
    private static JsonNode json(CommandRun run) throws IOException {
        return run.anyJson();
    }

    private static void assertWrongUse(CommandRun result, String... messages) {
        assertEquals(2, result.exitCode(), result::errors);
        assertEquals("", result.output());
        assertEquals(messages.length, result.errors().lines().count(), result::errors);
        for (String message : messages) {
            assertTrue(result.errors().contains(message), () -> "expected: " + message + "\n" + result.errors());
        }
        assertFalse(result.errors().contains("\tat "), result::errors);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void losesTwoOfEightPesByDefaultAndHasTheAnswerOfIqTree() throws IOException {
        CommandRun result = demo("--json");
        assertEquals(0, result.exitCode(), result::errors);
        JsonNode json = json(result);
        assertEquals(-5719.4291, json.get("logLikelihood").asDouble(), 1e-3);
        assertEquals(8, json.get("pes").asInt());
        assertEquals(6, json.get("pesLeft").asInt());
        assertEquals(3, json.get("replication").asInt());
        assertEquals(2, json.get("recoveries").size());
        assertTrue(json.get("agrees").asBoolean());
        assertTrue(json.get("relativeDifference").asDouble() <= 1e-9);
        assertEquals(52, json.at("/recoveries/0/blocksPulled").asInt());
        assertEquals(52 * 16, json.at("/recoveries/0/bytesPulled").asInt());
        for (String phase : List.of("detection", "shrink", "balance", "pull", "replenish", "total")) {
            assertTrue(json.at("/recoveries/0/millis/" + phase).isNumber(), phase);
        }
        assertTrue(json.at("/memoryPerPe/storeBytes").asLong() > 0);
        assertEquals(0, json.get("exitCode").asInt());
    }

    @Test
    void goesOnFromFilesWhereMoreFailThanACodeSurvives() throws IOException {
        String run = "--json --iterations 4 --coded 4+2 ";
        JsonNode unharmed = json(demo(run + "--kill 2@2,6@2,7@3"));
        assertEquals("4+2", unharmed.get("coded").asText());
        assertEquals(5, unharmed.get("pesLeft").asInt());
        CommandRun lost = demo(run + "--kill 1@3,3@3,5@3,6@3 --files " + folder);
        assertEquals(Mpi.EXIT_CODE_CONTINUED, lost.exitCode(), lost::errors);
        assertEquals("toBeContinued", json(lost).get("outcome").asText());
        assertTrue(lost.errors().contains("goes on from iteration 2"), lost::errors);
        CommandRun went = demo("--json --iterations 4 --pes 3 --fail none --files " + folder);
        assertEquals(unharmed.get("logLikelihood"), json(went).get("logLikelihood"), went::errors);
        assertFalse(went.errors().contains("iteration 2 of 4"), went::errors);
        assertTrue(demo("--iterations 4 --pes 3 --fail none --fresh --files " + folder).errors()
                .contains("iteration 2 of 4"));
    }

    @Test
    void writesATableForPeople() {
        CommandRun result = demo("phylo --fail 2@2,6@3 --iterations 3");
        assertEquals(0, result.exitCode(), result::errors);
        for (String text : List.of("12 taxa, 898 sites, 413 patterns", "2 @ 2", "6 @ 3", "6 of 8", "-5719.4291",
                "memory per PE", "detect", "the same")) {
            assertTrue(result.output().contains(text), () -> text + " is not in\n" + result.output());
        }
        assertTrue(result.errors().contains("iteration 3 of 3"), result::errors);
        assertTrue(result.errors().contains("PE 6 failed"), result::errors);
    }

    @ParameterizedTest
    @CsvSource({"evaluate, 1, 0", "evaluate, 2, 1", "evaluate, 3, 2", "evaluate, 8, 2", "optimize, 8, 2"})
    void choosesFailuresThatSoManyPesSurvive(String mode, int pes, int failures) throws IOException {
        CommandRun result = demo("--json --mode " + mode + " --pes " + pes);
        assertEquals(0, result.exitCode(), result::errors);
        assertEquals(failures, json(result).get("recoveries").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kill 1@2", "--fail 1@2"})
    void killsThreadsAsItFailsThem(String failure) throws IOException {
        JsonNode json = json(demo("--pes 3 --iterations 2 --json " + failure));
        assertEquals(1, json.at("/recoveries/0/failedRanks/0").asInt());
        assertEquals(2, json.get("pesLeft").asInt());
        assertFalse(json.get("processesKilled").asBoolean());
    }

    @Test
    void readsFilesAndWritesTheValueOfEverySite() throws IOException {
        String alignment = file("a.fasta", ">x\nACGTACGT\n>y\nACGTACGA\n");
        String tree = file("t.nwk", "(x:0.05,y:0.05);");
        Path values = folder.resolve("values");
        CommandRun result = demo("--json --model JC --repeat 2 --alignment " + alignment + " --tree " + tree
                + " --site-values " + values);
        assertEquals(0, result.exitCode(), result::errors);
        double decay = Math.exp(-4.0 / 3 * 0.1);
        double same = Math.log(0.25 * (0.25 + 0.75 * decay));
        double different = Math.log(0.25 * (0.25 - 0.25 * decay));
        assertEquals(2 * (7 * same + different), json(result).get("logLikelihood").asDouble(), 1e-9);
        double[] ofSites = Files.readAllLines(values).stream().mapToDouble(Double::parseDouble).toArray();
        assertEquals(16, ofSites.length);
        for (int site = 0; site < 16; site++) {
            assertEquals(site % 8 == 7 ? different : same, ofSites[site], 1e-9, "site " + site);
        }
    }

    @Test
    void namesLostPatternsAndExitsWithOne() throws IOException {
        CommandRun result = demo("--json --replication 2 --fail 1@3,5@3");
        assertEquals(1, result.exitCode());
        JsonNode json = json(result);
        assertEquals("patternsLost", json.get("outcome").asText());
        assertEquals(3, json.get("lostInIteration").asInt());
        long lost = 0;
        for (JsonNode range : json.get("lostPatterns")) {
            lost += range.get("count").asLong();
            String last = range.get("count").asLong() == 1
                    ? ""
                    : ".." + (range.get("first").asLong() + range.get("count").asLong() - 1);
            assertTrue(result.errors().contains(range.get("first").asLong() + last), result::errors);
        }
        assertTrue(lost > 0);
        assertTrue(result.errors().contains("data loss in iteration 3: all 2 holders of " + lost + " of 413 patterns"),
                result::errors);
        assertEquals(1, json.get("exitCode").asInt());
        assertFalse(result.errors().contains("\tat "), result::errors);
    }

    @Test
    void reportsEveryMistakeAtOnce() {
        assertWrongUse(demo("--pes 4 --replication 5 --fail 9@3,2@99,x --model XX --repeat 0 --nonsense "
                + "--alignment missing.phy --tree missing.nwk"), "--replication must be in 1..4",
                "--fail: the rank must be in 0..3: 9@3", "--fail: the iteration must be in 1..10: 2@99",
                "--fail: failures must be written RANK@ITERATION", "model 'XX', position 1",
                "--repeat must be at least 1", "--nonsense", "alignment not found: missing.phy",
                "tree not found: missing.nwk");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--pes x | '--pes'", "--pes 0 | --pes must be in 1..4096: --pes=0",
            "--pes 4097 | --pes must be in 1..4096", "--replication 9 | --replication must be in 1..8",
            "--replication 0 | --replication must be in 1..8", "--iterations 0 | --iterations must be at least 1",
            "--fail 8@1 | --fail: the rank must be in 0..7: 8@1", "--kill 8@1 | --kill: the rank must be in 0..7: 8@1",
            "--fail 1@0 | the iteration must be in 1..10", "--kill 1@11 | the iteration must be in 1..10",
            "--fail 1@1,1@2 | rank 1 can't fail twice", "--pes 2 --fail 0@1,1@1 | a PE must be left",
            "--fail none,1@1 | --fail: failures must be written RANK@ITERATION",
            "--mpi mpich | --mpi needs --transport mpi",
            "--fail 1@1 --kill 2@2 | only one of --fail and --kill", "--mode fast | '--mode'",
            "--transport tcp | '--transport'",
            "--model GTR{1,2 | model 'GTR{1,2', position 4",
            "--model JC+G4 | --model must say alpha", "--alignment missing.phy --tree missing.nwk | not found",
            "--site-values missing/folder | --site-values must be a file that can be written", "extra | 'extra'",
            "--fail | --fail"})
    void saysWhatIsWrongInOneLine(String options, String message) {
        CommandRun result = demo("phylo " + options);
        assertEquals(2, result.exitCode(), result::errors);
        assertEquals("", result.output());
        assertTrue(result.errors().contains(message), result::errors);
        assertTrue(result.errors().lines().count() <= 2, result::errors);
        assertFalse(result.errors().contains("\tat "), result::errors);
    }

    @Test
    void saysWhereInputIsWrong() throws IOException {
        String good = file("good.fasta", ">x\nACGT\n>y\nACGA\n");
        String tree = file("good.nwk", "(x:0.1,y:0.1);");
        String unequal = file("unequal.fasta", ">x\nACGT\n>y\nACG\n");
        String strange = file("strange.fasta", ">x\nACGT\n>y\nAC!A\n");
        String other = file("other.nwk", "(x:0.1,z:0.1);");
        String open = file("open.nwk", "(x:0.1,y:0.1;");
        assertWrongUse(demo("--alignment " + unequal + " --tree " + tree), unequal + ":");
        assertWrongUse(demo("--alignment " + strange + " --tree " + tree), strange + ":4:3:");
        assertWrongUse(demo("--alignment " + good + " --tree " + other),
                "only in the tree: 'z'; only in the alignment: 'y'");
        assertWrongUse(demo("--alignment " + good + " --tree " + open), open + ":1:13:");
        assertWrongUse(demo("--alignment " + good), "--tree must be given with --alignment");
    }

    /** The same shape: the rows in another order, and other letters. */
    @Test
    void refusesToGoOnFromThePatternsOfAnotherAlignment() throws IOException {
        String primates = InputText.resource(PhyloCommand.class, "primates.phy").content();
        String tree = file("t.nwk", InputText.resource(PhyloCommand.class, "primates.nwk").content());
        List<String> rows = primates.lines().skip(1).toList();
        String head = primates.lines().findFirst().orElseThrow() + "\n";
        String reversed = file("reversed.phy", head + String.join("\n", rows.reversed()));
        String other = file("other.phy", head + rows.stream().map(row -> row.substring(0, row.lastIndexOf(' '))
                + row.substring(row.lastIndexOf(' ')).replace('A', 'R').replace('G', 'A').replace('R', 'G'))
                .collect(Collectors.joining("\n")));
        Path files = folder.resolve("files");
        assertEquals(0, demo("--pes 4 --iterations 1 --fail none --files " + files).exitCode());
        String again = "--pes 3 --iterations 1 --fail none --files " + files;
        CommandRun same = demo(again);
        assertEquals(0, same.exitCode(), same::errors);
        for (String alignment : List.of(reversed, other)) {
            CommandRun run = demo(again + " --tree " + tree + " --alignment " + alignment);
            assertEquals(1, run.exitCode(), run::output);
            assertTrue(run.errors().contains("restore: checkpoint 1 in ")
                    && run.errors().contains("is of another program"), run::errors);
        }
    }

    @Test
    void needsACommand() {
        assertWrongUse(CommandRun.of("demo", "other"), "'other'",
                "a command is needed after 'restore demo': one of phylo");
    }

    @Test
    void tellsItsOptions() {
        CommandRun result = CommandRun.of("demo", "--help");
        assertEquals(0, result.exitCode());
        assertTrue(result.output().contains("--restarts"), result::output);
        assertTrue(result.output().contains(Primates.GTR_GAMMA.substring(0, 20)), result::output);
    }

    @Test
    void needsTheScriptsToStartMpi() {
        assertWrongUse(demo("--transport mpi"), "--transport mpi needs the scripts of the project");
    }
}

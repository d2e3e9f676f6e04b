package org.restorej.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.testing.CommandRun;

class PlanCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static final String LARGE = "plan --pes 24576 --ranks-per-node 48 --nodes-per-rack 16 --bytes-per-pe 16MiB "
            + "--replication 2..6 --mtbf-node 5y --hours 24";

    private static double loss(JsonNode level, String unit, int failures) {
        JsonNode points = level.at("/lossAfterFailures/" + unit + "/points");
        return StreamSupport.stream(points.spliterator(), false)
                .filter(point -> point.get("failures").asInt() == failures).findFirst().orElseThrow()
                .get("probability").asDouble();
    }

    @Test
    void hasTheProbabilitiesOfThePaperWhenOnePercentOfTheRanksFail() throws IOException {
        JsonNode json = CommandRun.of(LARGE + " --json").json();
        assertEquals(512, json.get("nodes").asInt());
        assertEquals(32, json.get("racks").asInt());
        JsonNode levels = json.get("levels");
        assertEquals(5, levels.size());
        assertEquals(0.71, loss(levels.get(0), "rank", 246), 5e-3);
        assertEquals(8.1e-3, loss(levels.get(1), "rank", 246), 5e-5);
        assertEquals(6.0e-5, loss(levels.get(2), "rank", 246), 1e-6);
        assertEquals(64L << 20, levels.get(2).get("replicaBytesPerPe").asLong());
        assertEquals(48 * (64L << 20), levels.get(2).get("replicaBytesPerNode").asLong());
        assertEquals(24576 * (64L << 20), levels.get(2).get("replicaBytes").asLong());
    }

    @Test
    void failsWholeNodesAsThePaperFailsRanks() throws IOException {
        JsonNode level = CommandRun.of(LARGE + " --json").json().at("/levels/2");
        assertEquals(4, level.get("replication").asInt());
        // 128 groups of four nodes each.
        double four = 128 * 24.0 / (512.0 * 511 * 510 * 509);
        assertEquals(0, loss(level, "node", 3));
        assertEquals(four, loss(level, "node", 4), 1e-9 * four);
        assertEquals(0, level.at("/lossAfterFailures/node/rangesSharingOne").asInt());
        // Racks: 32 in 8 groups of four.
        double racks = 8 * 24.0 / (32.0 * 31 * 30 * 29);
        assertEquals(racks, loss(level, "rack", 4), 1e-9 * racks);
    }

    @Test
    void weighsTheRiskOfARunByHowManyNodesFailInIt() throws IOException {
        JsonNode json = CommandRun.of("plan --pes 2 --bytes-per-pe 1B --replication 2 --mtbf-node 10h --hours 5 --json")
                .json();
        double both = Math.pow(1 - Math.exp(-0.5), 2);
        assertEquals(both, json.at("/levels/0/lossInRun/probability").asDouble(), 1e-12);
        assertEquals(2 * Math.sqrt(both), json.at("/run/expectedNodeFailures").asDouble(), 1e-12);
    }

    @Test
    void plansCheckpointsInFilesAtTheIntervalThatLosesTheLeastTime() throws IOException {
        // Four nodes, of which one fails each 100 hours, write 8 GiB and a third more in 10.7 s, and all 32 GiB in 64 s.
        String run = "plan --pes 32 --ranks-per-node 8 --bytes-per-pe 1GiB --mtbf-node 400h --hours 24 "
                + "--disk-speed 1GiB --shared-speed 512MiB";
        JsonNode files = CommandRun.of(run + " --json").json().get("files");
        assertEquals(2, files.size());
        assertEquals(8 * 4 / 3.0, files.at("/0/saveSeconds").asDouble(), 1e-9);
        assertEquals("one node of each 4", files.at("/0/survives").asText());
        JsonNode ofTwoSets = CommandRun.of("plan --pes 19 --ranks-per-node 1 --bytes-per-pe 7GiB --mtbf-node 400h "
                + "--hours 24 --disk-speed 1GiB --json").json().at("/files/0");
        assertEquals("one node of each 9 or 10", ofTwoSets.get("survives").asText());
        assertEquals(7 * 9 / 8.0, ofTwoSets.get("saveSeconds").asDouble(), 1e-9);
        JsonNode shared = files.get(1);
        assertEquals(64, shared.get("saveSeconds").asDouble(), 1e-9);
        // By hand: sqrt(2 * 64 * 360000) * (1 + sqrt(64 / 720000) / 3 + 64 / 720000 / 9) - 64.
        assertEquals(6745.6, shared.get("intervalSeconds").asDouble(), 0.1);
        assertEquals(64 / 6788.0 + 6788 / 2.0 / 360_000, shared.get("shareOfTime").asDouble(), 3e-4);
        String text = CommandRun.of(run).output();
        assertTrue(text.contains("shared file system") && text.contains("64 s") && text.contains("112 min")
                && text.contains("all nodes"), text);
        CommandRun alone = CommandRun.of("plan --pes 32 --bytes-per-pe 1GiB --disk-speed 1GiB");
        assertEquals(2, alone.exitCode());
        assertTrue(alone.errors().contains("--disk-speed needs --mtbf-node"), alone::errors);
        CommandRun oneNode = CommandRun.of("plan --pes 4 --ranks-per-node 4 --bytes-per-pe 1GiB --mtbf-node 400h "
                + "--hours 24 --disk-speed 1GiB");
        assertEquals(2, oneNode.exitCode());
        assertTrue(oneNode.errors().contains("--disk-speed needs at least 2 nodes"), oneNode::errors);
    }

    @Test
    void writesATableAndAdviceForPeople() {
        CommandRun run = CommandRun.of(LARGE);
        assertEquals(0, run.exitCode(), run::errors);
        for (String text : List.of(
                "24576 ranks on 512 nodes of 48, 32 racks of 16 nodes, ranks node by node, each with 16 MiB of data",
                "replicas on a node", "4.5 GiB", "failed ranks (of 24576)", "failed nodes (of 512)",
                "failed racks (of 32)", "in 24 h, in which 0.28 nodes fail", "is the least of these that survives")) {
            assertTrue(run.output().contains(text), () -> text + " is not in\n" + run.output());
        }
    }

    @Test
    void warnsOfReplicasThatShareANode() {
        CommandRun run = CommandRun.of("plan --pes 8 --ranks-per-node 4 --bytes-per-pe 1kB --replication 3");
        assertTrue(run.output().contains("replicas that share a node: fewer than 3 node failures can lose data"),
                run::output);
        assertTrue(
                run.output()
                        .contains("replication 3 is the least of these that survives the failure of 1 % of the nodes"),
                run::output);
        CommandRun oneNode = CommandRun.of("plan --pes 8 --ranks-per-node 8 --bytes-per-pe 1kB --replication 2,3");
        assertTrue(oneNode.output().contains("none of these levels survives the failure of 1 % of the nodes (1)"),
                oneNode::output);
    }

    @Test
    void saysWhetherThePlainShiftSeparatesNodesAndThatFailureDomainsWould() throws IOException {
        String cluster = "plan --pes 96 --ranks-per-node 8 --nodes-per-rack 3 --bytes-per-pe 1kB --replication 3 ";
        JsonNode byNode = CommandRun.of(cluster + "--json").json().at("/levels/0/lossAfterFailures");
        assertEquals(0, byNode.at("/node/rangesSharingOne").asInt());
        JsonNode dealt = CommandRun.of(cluster + "--layout round-robin --json").json();
        assertEquals("round-robin", dealt.get("layout").asText());
        // 12 nodes; ranks r, r + 32 and r + 64 are on nodes r, r + 8 and r + 4.
        assertEquals(0, dealt.at("/levels/0/lossAfterFailures/node/rangesSharingOne").asInt());
        String shared = "plan --pes 96 --ranks-per-node 4 --bytes-per-pe 1kB --replication 4 --layout round-robin ";
        JsonNode plain = CommandRun.of(shared + "--json").json().at("/levels/0/lossAfterFailures/node");
        // 24 nodes, and the shift is 24: all replicas of a range on one node.
        assertEquals(96, plain.get("rangesSharingOne").asInt());
        assertTrue(plain.get("failureDomainSeparates").asBoolean());
        assertEquals(1, plain.at("/points/0/probability").asDouble());
        CommandRun text = CommandRun.of(shared);
        assertTrue(text.output().contains("96 of 96 block ranges have replicas that share a node: fewer than 4 node "
                + "failures can lose data; ReStoreBuilder.failureDomain keeps them apart: see --failure-domains"),
                text::output);
        JsonNode told = CommandRun.of(shared + "--failure-domains --json").json()
                .at("/levels/0/lossAfterFailures/node");
        assertEquals(0, told.get("rangesSharingOne").asInt());
        assertEquals(0, told.at("/points/2/probability").asDouble());
        // Six groups of four nodes.
        assertEquals(6 * 24.0 / (24.0 * 23 * 22 * 21), told.at("/points/3/probability").asDouble(), 1e-15);
    }

    @Test
    void saysWhenNoPlacementCouldSeparateRacks() throws IOException {
        String racks = "plan --pes 96 --ranks-per-node 8 --nodes-per-rack 6 --bytes-per-pe 1kB --replication 3 "
                + "--failure-domains ";
        JsonNode rack = CommandRun.of(racks + "--json").json().at("/levels/0/lossAfterFailures/rack");
        assertFalse(rack.get("failureDomainSeparates").asBoolean());
        assertTrue(CommandRun.of(racks).output()
                .contains("spread the ranks over at least 3 racks, none with more than 32"));
    }

    @Test
    void comparesCodesWithReplicas() throws IOException {
        String command = "plan --pes 480 --bytes-per-pe 1GiB --replication 3 --coded 8+2,4+2 ";
        JsonNode json = CommandRun.of(command + "--json").json();
        JsonNode copies = json.at("/levels/0");
        JsonNode code = json.at("/levels/1");
        assertEquals("8+2", code.get("coded").asText());
        assertFalse(code.has("replication"));
        assertEquals("4+2", json.at("/levels/2/coded").asText());
        double data = 1 << 30;
        assertEquals(1.25, code.get("memoryFactor").asDouble());
        assertEquals(1.25 * data, code.get("replicaBytesPerPe").asDouble());
        assertEquals(8 * data, code.get("lostShareReadBytes").asDouble());
        assertEquals(3, code.get("fewestFailuresUntilLoss").asInt());
        assertEquals(data, copies.get("lostShareReadBytes").asDouble());
        assertEquals(0, loss(code, "rank", 2));
        // 48 groups of ten, in each of which 120 sets of three are fatal, of all sets of three.
        double three = 48 * 120 / (480.0 * 479 * 478 / 6);
        assertEquals(three, loss(code, "rank", 3), 1e-9 * three);
        assertEquals(36 * loss(copies, "rank", 3), loss(code, "rank", 3), 1e-9 * three);
        assertFalse(code.get("meanIsExact").asBoolean());
        CommandRun text = CommandRun.of(command);
        for (String part : List.of("replication or code                      3         8+2         4+2",
                "memory, multiples of the data         3.00        1.25        1.50")) {
            assertTrue(text.output().contains(part), () -> part + " is not in\n" + text.output());
        }
        assertFalse(CommandRun.of("plan --pes 480 --bytes-per-pe 1GiB").output().contains("multiples of the data"));
    }

    @Test
    void advisesTheCheapestThatIsSafeAndMarksBounds() throws IOException {
        String command = "plan --pes 24576 --ranks-per-node 48 --bytes-per-pe 16MiB --replication 5 --coded 4+1,8+4 ";
        CommandRun run = CommandRun.of(command);
        for (String part : List.of("<= ", ">= ",
                "code 8+4 is the least of these that survives the failure of 1 % of the nodes (6)")) {
            assertTrue(run.output().contains(part), () -> part + " is not in\n" + run.output());
        }
        JsonNode levels = CommandRun.of(command + "--plot " + folder.resolve("risk.svg") + " --json").json()
                .get("levels");
        assertFalse(levels.at("/1/meanIsExact").asBoolean());
        assertEquals(0, loss(levels.get(2), "node", 4));
    }

    @Test
    void reportsEveryMistakeAtOnce() {
        CommandRun run = CommandRun.of("plan --pes 4 --ranks-per-node 0 --bytes-per-pe 16MB1 --replication 2..6 "
                + "--mtbf-node 5parsec --hours -1 --nonsense");
        assertEquals(2, run.exitCode());
        assertEquals("", run.output());
        for (String message : List.of("--nonsense", "--ranks-per-node must be in 1..4194304: --ranks-per-node=0",
                "--bytes-per-pe must be a number and a unit", "--replication must be in 1..4, the number of ranks",
                "--mtbf-node must have one of the units s, min, h, d, w, y", "--hours must be more than 0")) {
            assertTrue(run.errors().contains(message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(6, run.errors().lines().count(), run::errors);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--bytes-per-pe 1B | --pes", "--pes 4 | --bytes-per-pe",
            "--pes 0 --bytes-per-pe 1B | --pes must be in 1..4194304: --pes=0",
            "--pes 4194305 --bytes-per-pe 1B | --pes must be in 1..4194304", "--pes x --bytes-per-pe 1B | '--pes'",
            "--pes 4 --bytes-per-pe 1B --layout scattered | --layout must be by-node or round-robin: "
                    + "--layout=scattered",
            "--pes 4 --bytes-per-pe 0B | --bytes-per-pe must be more than 0",
            "--pes 4 --bytes-per-pe 0.5B | --bytes-per-pe must be at least 1 byte",
            "--pes 4 --bytes-per-pe 16 | must have one of the units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
            "--pes 4 --bytes-per-pe 16mb | must have one of the units",
            "--pes 4 --bytes-per-pe -1B | must be a number and a unit",
            "--pes 4 --bytes-per-pe 1B --replication 5 | --replication must be in 1..4, the number of ranks",
            "--pes 4 --bytes-per-pe 1B --replication 0 | --replication must be in 1..4",
            "--pes 400 --bytes-per-pe 1B --replication 17 | --replication must be in 1..16",
            "--pes 4 --bytes-per-pe 1B --replication 3..2 | from the smaller level to the larger",
            "--pes 4 --bytes-per-pe 1B --replication two | must be levels as in 3, 2..6 or 2,4",
            "--pes 9 --bytes-per-pe 1B --coded 8+2 | --coded must have at most 9 parts together, the number of ranks: "
                    + "--coded=8+2",
            "--pes 900 --bytes-per-pe 1B --coded 200+56 | --coded must have at most 255 parts together: --coded=200+56",
            "--pes 9 --bytes-per-pe 1B --coded 0+2 | --coded must have at least 1 data part: --coded=0+2",
            "--pes 9 --bytes-per-pe 1B --coded 4+2,8+0 | --coded must have at least 1 parity part: --coded=8+0",
            "--pes 9 --bytes-per-pe 1B --coded 8-2 | --coded must be numbers of data and parity parts, K+M as in 8+2: "
                    + "--coded=8-2",
            "--pes 4 --bytes-per-pe 1B --hours 2 | --mtbf-node and --hours must be given together: only --hours is",
            "--pes 4 --bytes-per-pe 1B --mtbf-node 2y | must be given together: only --mtbf-node is"})
    void saysWhatIsWrongAndWhatIsAllowed(String options, String message) {
        CommandRun run = CommandRun.of("plan " + options);
        assertEquals(2, run.exitCode(), run::errors);
        assertEquals("", run.output());
        assertTrue(run.errors().contains(message), run::errors);
        assertFalse(run.errors().contains("\tat "), run::errors);
        assertEquals(1, run.errors().lines().count(), run::errors);
    }
}

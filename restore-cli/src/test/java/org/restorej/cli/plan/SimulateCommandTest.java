package org.restorej.cli.plan;

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

class SimulateCommandTest {
    private static final String SMALL = "simulate --pes 128 --replication 4 --trials 400 ";

    @Test
    void agreesWithTheFormula() throws IOException {
        JsonNode json = CommandRun.of(SMALL + "--seed 3 --json").json();
        for (JsonNode point : json.get("points")) {
            double exact = point.at("/formula/probability").asDouble();
            assertTrue(point.at("/formula/exact").asBoolean());
            // Four standard errors: the seed is fixed, and any seed would do but for one in 10,000.
            double slack = 4 * Math.sqrt(exact * (1 - exact) / 400) + 1e-9;
            assertEquals(exact, point.at("/loss/estimate").asDouble(), slack, point::toString);
            assertTrue(point.at("/loss/low").asDouble() <= point.at("/loss/estimate").asDouble());
        }
        // (P + 1) times the product over i = 1 .. 32 of 4i / (4i + 1).
        double expected = 129;
        for (int i = 1; i <= 32; i++) {
            expected *= 4.0 * i / (4 * i + 1);
        }
        assertTrue(json.at("/meanFailuresUntilLoss/low").asDouble() < expected * 1.03, json::toString);
        assertTrue(json.at("/meanFailuresUntilLoss/high").asDouble() > expected * 0.97, json::toString);
    }

    @Test
    void isTheSameForTheSameSeedAndAnotherForAnother() {
        CommandRun first = CommandRun.of(SMALL + "--seed 5");
        assertEquals(0, first.exitCode(), first::errors);
        assertEquals(first, CommandRun.of(SMALL + "--seed 5"));
        assertFalse(first.output().equals(CommandRun.of(SMALL + "--seed 6").output().replace("seed 6", "seed 5")));
    }

    @Test
    void losesLessWithReplenishment() throws IOException {
        String options = "simulate --pes 32 --replication 2 --trials 300 --failures 8 --json";
        double without = CommandRun.of(options).json().at("/points").get(5).at("/loss/estimate").asDouble();
        JsonNode replenished = CommandRun.of(options + " --replenish-after 1").json();
        assertEquals(8, replenished.at("/points/5/failures").asInt());
        assertTrue(without > 0.3, () -> "without: " + without);
        assertEquals(0, replenished.at("/points/5/loss/estimate").asDouble());
        assertFalse(replenished.has("meanFailuresUntilLoss"));
        assertFalse(replenished.at("/points/5").has("formula"));
    }

    @Test
    void failsWholeNodes() {
        CommandRun run = CommandRun.of("simulate --pes 64 --ranks-per-node 8 --fail node --replication 2 --trials 50");
        assertEquals(0, run.exitCode(), run::errors);
        for (String text : List.of(
                "64 ranks, replication 2, nodes fail at random, nothing replenished; 50 trials, seed 1",
                "failed nodes", "100.00 %", "on average data was lost with failure")) {
            assertTrue(run.output().contains(text), () -> text + " is not in\n" + run.output());
        }
    }

    @Test
    void losesNothingWithOneNodeOfAStoreThatIsToldOfThem() {
        String dealt = "simulate --pes 32 --ranks-per-node 4 --layout round-robin --fail node --replication 4 "
                + "--trials 50 --failures 3 ";
        CommandRun plain = CommandRun.of(dealt);
        assertTrue(plain.output().contains("             1      100.00 %"), plain::output);
        CommandRun told = CommandRun.of(dealt + "--failure-domains");
        assertTrue(told.output().contains("failure domains told to the store, nodes fail at random"), told::output);
        assertTrue(told.output().contains("             3        0.00 %"), told::output);
        CommandRun replenished = CommandRun.of(dealt + "--failure-domains --replenish-after 1");
        assertTrue(replenished.output().contains("             3        0.00 %"), replenished::output);
    }

    @Test
    void reportsEveryMistakeAtOnce() {
        CommandRun run = CommandRun
                .of("simulate --pes 4 --replication 5 --fail rack --failures 0 --trials 0 "
                        + "--replenish-after 9 --nonsense");
        assertEquals(2, run.exitCode());
        for (String message : List.of("--nonsense",
                "--replication must be in 1..4, the number of ranks: --replication=5",
                "--fail=rack needs --nodes-per-rack", "--failures must be in 1..4", "--trials must be in 1..",
                "--replenish-after must be in 1..4")) {
            assertTrue(run.errors().contains(message), () -> message + " is not in\n" + run.errors());
        }
        assertEquals(6, run.errors().lines().count(), run::errors);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--pes 4 | --replication", "--replication 2 | --pes",
            "--pes 4 --replication 2 --fail disk | '--fail'", "--pes 4 --replication 2 --seed x | '--seed'"})
    void saysWhatIsWrong(String options, String message) {
        CommandRun run = CommandRun.of("simulate " + options);
        assertEquals(2, run.exitCode(), run::errors);
        assertTrue(run.errors().contains(message), run::errors);
        assertEquals(1, run.errors().lines().count(), run::errors);
    }
}

package org.restorej.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.testing.CommandRun;

class SimulateCommandTest {
    private static final String SMALL = "simulate --pes 128 --replication 4 --trials 400 ";

    @Test
    void agreesWithTheFormula() {
        CommandRun run = CommandRun.of(SMALL + "--seed 3");
        List<double[]> rows = run.output().lines().filter(line -> line.matches(" *\\d+ .*%.*%.*"))
                .map(line -> Pattern.compile("[0-9]+([.][0-9]+)?(e[+-][0-9]+)?").matcher(line).results()
                        .mapToDouble(number -> Double.parseDouble(number.group())).toArray())
                .toList();
        assertTrue(rows.size() > 5, run::output);
        for (double[] row : rows) {
            double exact = row[4];
            // Four standard errors: the seed is fixed, and any seed would do but for one in 10,000.
            double slack = 4 * Math.sqrt(exact * (100 - exact) / 400) + 0.01;
            assertEquals(exact, row[1], slack, run::output);
            assertTrue(row[2] <= row[1] && row[1] <= row[3], run::output);
        }
        // (P + 1) times the product over i = 1 .. 32 of 4i / (4i + 1).
        double expected = 129;
        for (int i = 1; i <= 32; i++) {
            expected *= 4.0 * i / (4 * i + 1);
        }
        Matcher mean = Pattern.compile("with failure ([0-9.]+) ").matcher(run.output());
        assertTrue(mean.find(), run::output);
        assertEquals(expected, Double.parseDouble(mean.group(1)), 0.1 * expected);
    }

    @Test
    void isTheSameForTheSameSeedAndAnotherForAnother() {
        CommandRun first = CommandRun.of(SMALL + "--seed 5");
        assertEquals(0, first.exitCode(), first::errors);
        assertEquals(first, CommandRun.of(SMALL + "--seed 5"));
        assertFalse(first.output().equals(CommandRun.of(SMALL + "--seed 6").output().replace("seed 6", "seed 5")));
    }

    @Test
    void losesLessWithReplenishment() {
        String options = "simulate --pes 32 --replication 2 --trials 300 --failures 8";
        CommandRun without = CommandRun.of(options);
        assertTrue(without.output().matches("(?s).*\n +8 +[3-9][0-9]\\.[0-9]+ %.*"), without::output);
        CommandRun replenished = CommandRun.of(options + " --replenish-after 1");
        assertTrue(replenished.output().matches("(?s).*\n +8 +0\\.00 %.*some trials lost nothing in 8 failures\n"),
                replenished::output);
        assertFalse(replenished.output().contains("formula"), replenished::output);
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

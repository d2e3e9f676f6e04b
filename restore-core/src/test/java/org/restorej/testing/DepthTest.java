package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Isolated;
import org.opentest4j.TestAbortedException;

@Isolated("it sets system properties and the standard output")
class DepthTest {
    private static final String SEED = "restorej.depth.test.seed";

    private static <T> T with(String property, String value, Supplier<T> action) {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            return action.get();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    private static String outputOf(Runnable action) {
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setOut(before);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyDayTriesFewAndSaysHowManyItLeavesOut() {
        String output = with(Depth.PROPERTY, "false", () -> outputOf(() -> assertEquals(3, Depth.trials(3, 40))));
        assertEquals("left to --deep: all but 3 of 40 trials", output.strip());
    }

    @Test
    void aDeepRunTriesAllAndLeavesNothingOut() {
        String output = with(Depth.PROPERTY, "true", () -> outputOf(() -> assertEquals(40, Depth.trials(3, 40))));
        assertEquals("", output);
    }

    @Test
    void theDateChoosesUnlessASeedIsGiven() {
        assertEquals(17L, with(SEED, "17", () -> Depth.seed(SEED)));
        long before = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        long seed = Depth.seed(SEED);
        assertTrue(seed >= before && seed <= before + 1, () -> "seed=" + seed);
    }

    @Test
    void someAreOthersEveryDayAndAllOfThemInADeepRun() {
        List<Integer> all = List.of(1, 2, 5, 8);
        String output = with(Depth.PROPERTY, "false", () -> outputOf(() -> {
            assertEquals(List.of(8, 1), with(SEED, "7", () -> Depth.some(all, 2, SEED)));
            assertEquals(List.of(1, 2), with(SEED, "8", () -> Depth.some(all, 2, SEED)));
        }));
        assertTrue(output.contains("all but [8, 1] of [1, 2, 5, 8], -D" + SEED + "=7"), output);
        assertEquals(all, with(Depth.PROPERTY, "true", () -> Depth.some(all, 2, SEED)));
    }

    private static boolean isRun(TestInfo me, String deep, String seed, List<String> group) {
        return with(Depth.PROPERTY, deep, () -> with(SEED, seed, () -> {
            try {
                Depth.takeTurns(me, List.of(List.of("a", "b", "c"), group), SEED);
                return true;
            } catch (TestAbortedException skipped) {
                assertTrue(String.valueOf(skipped.getMessage()).contains("left to --deep: testsTakeTurns"),
                        skipped::toString);
                return false;
            }
        }));
    }

    @Test
    void testsTakeTurnsAndAllAreRunInADeepRun(TestInfo me) {
        String test = me.getTestMethod().orElseThrow().getName();
        outputOf(() -> {
            assertTrue(isRun(me, "false", "8", List.of(test, "other")), "it is the turn of the first one");
            assertFalse(isRun(me, "false", "9", List.of(test, "other")), "it is the turn of the second one");
            assertTrue(isRun(me, "true", "9", List.of(test, "other")), "in a deep run");
            assertTrue(isRun(me, "false", "9", List.of("another", "other")), "of no group");
        });
    }
}

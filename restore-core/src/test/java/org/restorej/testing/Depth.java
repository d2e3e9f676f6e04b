package org.restorej.testing;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInfo;

/**
 * How much a run of the tests tries: what fits into every day, or with {@code -Drestorej.deep=true} all there is.
 *
 * <p>
 * A test that tries less than all says so by {@link #leaveOut}; {@code bin/test} collects what was said.
 */
public final class Depth {
    /** The system property that asks for everything. */
    static final String PROPERTY = "restorej.deep";

    /** Begins the lines that {@code bin/test} looks for in the reports of the tests. */
    static final String LEFT_OUT = "left to --deep: ";

    private Depth() {}

    /** Whether everything is tried. */
    public static boolean isDeep() {
        return Boolean.getBoolean(PROPERTY);
    }

    /** The number of trials of a test: one for every day, or one for a deep run. */
    public static int trials(int everyDay, int deep) {
        if (isDeep()) {
            return deep;
        }
        leaveOut("all but " + everyDay + " of " + deep + " trials");
        return everyDay;
    }

    /**
     * Some of what there is to try, others every day; all of it in a deep run.
     *
     * @param all of which a run takes neighbours
     * @param everyDay how many
     * @param property repeats a run
     */
    public static <T> List<T> some(List<T> all, int everyDay, String property) {
        if (isDeep()) {
            return all;
        }
        long seed = seed(property);
        List<T> chosen = IntStream.range(0, everyDay)
                .mapToObj(next -> all.get((int) Math.floorMod(seed + next, (long) all.size()))).toList();
        leaveOut("all but " + chosen + " of " + all + ", -D" + property + "=" + seed);
        return chosen;
    }

    /**
     * Skips a test on which it is not the turn: of each group of tests one is run every day, all of them in a deep run.
     * Called before each test of a class.
     *
     * @param groups of names of test methods; a test of none of them is run every day
     * @param property repeats a run
     */
    public static void takeTurns(TestInfo test, List<List<String>> groups, String property) {
        String name = test.getTestMethod().orElseThrow().getName();
        for (List<String> group : groups) {
            if (group.contains(name)) {
                Assumptions.assumeTrue(some(group, 1, property).contains(name), LEFT_OUT + name);
            }
        }
    }

    /** Says what this run does not try. Called by the test that leaves it out, while it runs. */
    public static void leaveOut(String what) {
        System.out.println(LEFT_OUT + what);
    }

    /**
     * Chooses what is tried: the number in a system property, to repeat a run, or another one each day. Whoever asks
     * prints it.
     */
    public static long seed(String property) {
        return Long.getLong(property, LocalDate.now(ZoneOffset.UTC).toEpochDay());
    }
}

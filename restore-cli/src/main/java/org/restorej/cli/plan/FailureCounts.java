package org.restorej.cli.plan;

import java.util.List;
import java.util.TreeSet;

/** The numbers of failures for which a table has a line. */
final class FailureCounts {
    private static final int ALWAYS = 5;
    private static final int[] STEPS = {1, 2, 5};

    private FailureCounts() {}

    /** One to five, 10, 20, 50 and so on up to a tenth of the units, and one in a hundred; ascending. */
    static List<Integer> of(int units) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (int count = 1; count <= Math.min(ALWAYS, units); count++) {
            counts.add(count);
        }
        counts.add(oneInAHundred(units));
        for (int decade = 1; decade <= units / 10; decade *= 10) {
            for (int step : STEPS) {
                if (step * decade <= units / 10) {
                    counts.add(step * decade);
                }
            }
        }
        return List.copyOf(counts);
    }

    /** One unit in a hundred, and at least one. */
    static int oneInAHundred(int units) {
        return Math.ceilDiv(units, 100);
    }
}

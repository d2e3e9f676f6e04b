package org.restorej.bench.report;

import java.util.List;

/**
 * A line of a table that says what was measured and what is to be reached.
 *
 * @param what was measured
 * @param at with how many PEs, with which sizes
 * @param measured the figure
 * @param reference what it is compared with
 * @param ratio the figure by the reference
 * @param target what the ratio, or the figure, is to be; empty where nothing has to be reached
 * @param isReached whether it is
 */
record TargetRow(String what, String at, String measured, String reference, String ratio, String target,
        boolean isReached) {
    private static final List<String> HEAD = List.of("", "at", "measured", "reference", "ratio", "to reach", "reached");

    /** A time, and one to compare it with, of which it may be so many times as long. */
    static TargetRow ofTimes(String what, String at, double seconds, String referenceName, double referenceSeconds,
            double most) {
        double ratio = seconds / referenceSeconds;
        return new TargetRow(what, at, Quantity.time(seconds), referenceName + " " + Quantity.time(referenceSeconds),
                Quantity.digits(ratio), atMost(most), ratio <= most);
    }

    /** A time, and one to compare it with, for who wants to know. */
    static TargetRow forComparison(String what, String at, double seconds, String referenceName,
            double referenceSeconds) {
        return new TargetRow(what, at, Quantity.time(seconds), referenceName + " " + Quantity.time(referenceSeconds),
                Quantity.digits(seconds / referenceSeconds), "", true);
    }

    static String atMost(double most) {
        return "≤ " + Quantity.digits(most);
    }

    /** A table, or nothing without rows. */
    static String table(String heading, String introduction, List<TargetRow> rows) {
        if (rows.isEmpty()) {
            return "";
        }
        MarkdownTable table = new MarkdownTable(HEAD);
        rows.forEach(row -> table.add(List.of(row.what, row.at, row.measured, row.reference, row.ratio, row.target,
                row.target.isEmpty() ? "" : row.isReached ? "yes" : "no")));
        return "## " + heading + "\n\n" + introduction + "\n" + table + "\n";
    }
}

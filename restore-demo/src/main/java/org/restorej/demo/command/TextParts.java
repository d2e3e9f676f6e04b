package org.restorej.demo.command;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.demo.run.RecoverySummary;
import org.restorej.loop.Recovery;

/** Parts of a result for people: lines with a name and a value, and the table of recoveries. */
public final class TextParts {
    private TextParts() {}

    /** A line with a name and a value. */
    public static String fact(String name, String value) {
        return String.format(Locale.ROOT, "%-18s %s%n", name, value);
    }

    /** The recoveries, a line each; nothing when there are none. */
    public static String recoveryTable(List<RecoverySummary> recoveries) {
        if (recoveries.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder();
        table.append(row("failure", "PEs", "blocks", "bytes", "", "", "", "", "", "", ""));
        table.append(row("PE @ iteration", "left", "pulled", "pulled", "detect", "shrink", "balance", "pull",
                "take over", "replicate", "total"));
        for (RecoverySummary recovery : recoveries) {
            table.append(row(listed(recovery.failedRanks()) + " @ " + recovery.iteration(), recovery.survivors(),
                    recovery.pulledBlocks(), recovery.pulledBytes(), detection(recovery.detectionNanos()),
                    millis(phase(recovery, Recovery.Phase.SHRINK) + phase(recovery, Recovery.Phase.RECOVER)),
                    millis(phase(recovery, Recovery.Phase.BALANCE)), millis(phase(recovery, Recovery.Phase.PULL)),
                    millis(phase(recovery, Recovery.Phase.TAKE_OVER)),
                    millis(phase(recovery, Recovery.Phase.REPLENISH)), millis(recovery.totalNanos())));
        }
        table.append(String.format(Locale.ROOT,
                "each time is that of the PE that took longest, so that they may add up to more than the total%n"));
        return table + System.lineSeparator();
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-14s %5s %8s %10s %9s %9s %9s %9s %9s %9s %9s%n", cells)
                .replaceAll("[ ]+(?=\\R)", "");
    }

    private static long phase(RecoverySummary recovery, Recovery.Phase phase) {
        return recovery.phaseNanos().getOrDefault(phase, 0L);
    }

    private static String detection(OptionalLong nanos) {
        return nanos.isPresent() ? millis(nanos.getAsLong()) : "?";
    }

    /** Nanoseconds as milliseconds with two digits. */
    public static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }

    /** Ranks, with commas. */
    public static String listed(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Runs of blocks, with commas. */
    public static String listed(BlockRanges blocks) {
        return blocks.runs().stream().map(BlockRange::toString).collect(Collectors.joining(", "));
    }
}

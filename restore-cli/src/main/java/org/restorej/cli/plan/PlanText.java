package org.restorej.cli.plan;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.restorej.report.Probability;

/** A plan as text, with a column for each replication level and code. */
final class PlanText {
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private static final String FILES_ROW = "%-42s %11s %11s %11s  %s";

    private final RiskPlan plan;
    private final StringBuilder text = new StringBuilder();

    private PlanText(RiskPlan plan) {
        this.plan = plan;
    }

    /** The whole text. */
    static String of(RiskPlan plan) {
        return new PlanText(plan).write();
    }

    private String write() {
        line(header());
        line("");
        row(plan.hasCodes() ? "replication or code" : "replication", level -> level.redundancy().value());
        row("replicas on a rank", level -> bytes(plan.replicaBytesPerPe(level)));
        if (plan.layout().ranksPerNode() > 1) {
            row("replicas on a node", level -> bytes(plan.replicaBytesPer(FailureUnit.NODE, level)));
        }
        row("replicas in total", level -> bytes(plan.replicaBytes(level)));
        if (plan.hasCodes()) {
            codes();
        }
        row("mean rank failures until loss", level -> String.format(Locale.ROOT, "%s%.1f",
                level.isExpectationExact() ? "" : ">= ", level.expectedRankFailures()));
        plan.layout().failureUnits().forEach(this::curve);
        plan.mission().ifPresent(this::mission);
        if (!plan.files().isEmpty()) {
            files();
        }
        line("");
        PlanAdvice.of(plan).forEach(sentence -> line("- " + sentence));
        return text.toString();
    }

    /** Rows in which codes differ from replicas. */
    private void codes() {
        row("memory, multiples of the data", level -> String.format(Locale.ROOT, "%.2f",
                level.redundancy().memoryFactor()));
        row("read for a failed rank's share", level -> bytes((double) plan.dataBytesPerPe()
                * level.redundancy().dataParts()));
        row("fewest failures until loss", level -> String.valueOf(level.redundancy().parityParts() + 1));
    }

    private String header() {
        ClusterLayout layout = plan.layout();
        String nodes = layout.ranksPerNode() > 1
                ? String.format(Locale.ROOT, " on %d nodes of %d", layout.count(FailureUnit.NODE),
                        layout.ranksPerNode())
                : "";
        String racks = layout.nodesPerRack() > 1
                ? String.format(Locale.ROOT, ", %d racks of %d nodes", layout.count(FailureUnit.RACK),
                        layout.nodesPerRack())
                : "";
        String order = layout.ranksPerNode() > 1
                ? ", ranks " + (layout.ranks() == RankLayout.BY_NODE
                        ? "node by node"
                        : "dealt round robin")
                : "";
        String domains = layout.tellsDomains() ? ", failure domains told to the store" : "";
        return layout.pes() + " ranks" + nodes + racks + order + domains + ", each with "
                + bytes((double) plan.dataBytesPerPe())
                + " of data";
    }

    private void curve(FailureUnit unit) {
        line("");
        line("probability of loss, by number of failed " + unit + "s (of " + plan.layout().count(unit) + ")");
        if (unit != FailureUnit.RANK) {
            row("  ranges sharing a " + unit,
                    level -> String.valueOf(level.riskOf(unit).orElseThrow().sharingRanges()));
        }
        List<LevelRisk.Point> points = plan.levels().getFirst().riskOf(unit).orElseThrow().points();
        for (int i = 0; i < points.size(); i++) {
            int index = i;
            row("  " + points.get(i).failures(),
                    level -> probability(level.riskOf(unit).orElseThrow().points().get(index).loss()));
        }
    }

    private void mission(Mission mission) {
        line("");
        line(String.format(Locale.ROOT, "probability of loss in %s h, in which %.2g nodes fail on average",
                hours(mission), mission.expectedFailures(plan.layout().count(FailureUnit.NODE))));
        row("  nothing replenished", level -> probability(level.missionLoss().orElseThrow()));
    }

    private void files() {
        line("");
        line(String.format(Locale.ROOT, FILES_ROW, "checkpoints in files, at Daly's interval", "each takes", "interval",
                "of the time", "survives"));
        for (FileLevel level : plan.files()) {
            line(String.format(Locale.ROOT, FILES_ROW, "  " + level.storage(), seconds(level.saveSeconds()),
                    seconds(level.intervalSeconds()), String.format(Locale.ROOT, "%.2g %%", 100 * level.share()),
                    level.survives()));
        }
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.2g s" : seconds < 600 ? "%.0f s" : "%.0f min",
                seconds < 600 ? seconds : seconds / 60);
    }

    private void row(String name, Function<LevelRisk, String> cell) {
        text.append(String.format(Locale.ROOT, "%-30s", name));
        plan.levels().forEach(level -> text.append(String.format(Locale.ROOT, " %11s", cell.apply(level))));
        line("");
    }

    private void line(String end) {
        text.append(end).append(System.lineSeparator());
    }

    /** A probability with two digits; a bound is marked. */
    static String probability(Probability probability) {
        double value = probability.value();
        String mark = probability.isExact() ? "" : "<= ";
        return mark + (value == 0 || value == 1 ? String.valueOf((int) value) : digits(value));
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 1e-2 ? "%.1e" : "%.2f", value);
    }

    /** The duration of a run, without insignificant digits. */
    static String hours(Mission mission) {
        boolean whole = mission.hours() == Math.rint(mission.hours());
        return String.format(Locale.ROOT, whole ? "%.0f" : "%.3g", mission.hours());
    }

    /** An amount of memory with at most three digits before the unit. */
    static String bytes(double bytes) {
        int unit = 0;
        double amount = bytes;
        while (amount >= 1024 && unit < BYTE_UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, amount == Math.rint(amount) ? "%.0f %s" : "%.1f %s", amount,
                BYTE_UNITS[unit]);
    }
}

package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.restorej.cli.command.Redundancy;
import org.restorej.cli.plot.Chart;
import org.restorej.cli.plot.Picture;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/** The chart of the probability of loss over the number of failures. */
final class RiskChart {
    /** Smaller probabilities are omitted, because they would compress the rest of the chart. */
    private static final double MIN_SHOWN = 1e-12;
    private static final int POINTS = 40;

    private RiskChart() {}

    /** A chart of a plan's levels: by failed nodes if nodes have several ranks, and by failed ranks otherwise. */
    static Picture of(RiskPlan plan) {
        ClusterLayout layout = plan.layout();
        FailureUnit unit = layout.ranksPerNode() > 1 ? FailureUnit.NODE : FailureUnit.RANK;
        Chart chart = new Chart(
                String.format(Locale.ROOT, "Loss of data on %d ranks, nothing replenished", layout.pes()),
                Chart.log(failed(unit, layout)), Chart.log("probability of loss"));
        for (LevelRisk level : plan.levels()) {
            Redundancy redundancy = level.redundancy();
            Placement placement = layout.placement(layout.pes(), redundancy.parts());
            String name = redundancy.isCoded() ? redundancy.value() : "K = " + redundancy.parts();
            addCurve(chart, name, PlannedLoss.of(placement, layout.domains(unit), redundancy)::afterFailures,
                    counts(layout.count(unit)));
        }
        return chart.picture();
    }

    private static String failed(FailureUnit unit, ClusterLayout layout) {
        return String.format(Locale.ROOT, "failed %ss (of %d)", unit, layout.count(unit));
    }

    private static void addCurve(Chart chart, String name, IntFunction<Probability> loss, List<Integer> counts) {
        List<Chart.Point> points = new ArrayList<>();
        boolean exact = true;
        for (int failures : counts) {
            Probability probability = loss.apply(failures);
            if (probability.value() >= MIN_SHOWN) {
                exact &= probability.isExact();
                points.add(new Chart.Point(failures, probability.value()));
            }
        }
        chart.add(exact ? name : name + " (at most)", points);
    }

    /** Some numbers from 1 to {@code most}, at equal ratios. */
    private static List<Integer> counts(int most) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (int i = 0; i <= POINTS; i++) {
            counts.add((int) Math.round(Math.pow(most, (double) i / POINTS)));
        }
        return List.copyOf(counts);
    }
}

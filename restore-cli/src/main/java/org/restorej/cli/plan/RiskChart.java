package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.restorej.cli.command.Redundancy;
import org.restorej.cli.plot.Axis;
import org.restorej.cli.plot.LineChart;
import org.restorej.cli.plot.Series;
import org.restorej.cli.risk.ConfidenceInterval;
import org.restorej.cli.risk.SimulatedLosses;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/** Probabilities of loss over numbers of failures, as charts. */
final class RiskChart {
    /** What is less likely than this is left out: it would press all else together. */
    private static final double LEAST_SHOWN = 1e-12;
    private static final int POINTS = 40;

    private RiskChart() {}

    /** What a plan's levels survive: nodes when ranks share them, single ranks otherwise. */
    static LineChart of(RiskPlan plan) {
        ClusterLayout layout = plan.layout();
        FailureUnit unit = layout.ranksPerNode() > 1 ? FailureUnit.NODE : FailureUnit.RANK;
        List<Series> curves = new ArrayList<>();
        for (LevelRisk level : plan.levels()) {
            Redundancy redundancy = level.redundancy();
            Placement placement = new Placement(layout.pes(), layout.pes(), redundancy.parts());
            String name = redundancy.isCoded() ? redundancy.value() : "K = " + redundancy.parts();
            curve(name, PlannedLoss.of(placement, layout.domains(unit), redundancy)::afterFailures,
                    counts(layout.count(unit)),
                    LEAST_SHOWN, Series.Style.LINE).ifPresent(curves::add);
        }
        return new LineChart(
                String.format(Locale.ROOT, "Loss of data on %d PEs, nothing replenished", layout.pes()),
                Axis.log(failed(unit, layout)), Axis.log("probability of loss"), curves);
    }

    /** What a simulation found, with its intervals, and beside it what the formula says, where there is one. */
    static LineChart of(Simulation simulation, SimulatedLosses losses) {
        FailureUnit unit = simulation.unit();
        List<Series> series = new ArrayList<>();
        List<Series.Point> points = new ArrayList<>();
        for (int failures : counts(simulation.mostFailures())) {
            ConfidenceInterval found = losses.lossProbability(failures);
            points.add(new Series.Point(failures, found.estimate(), found.low(), found.high()));
        }
        if (!simulation.replenishes()) {
            curve("formula",
                    PlannedLoss.of(simulation.placement(), simulation.layout().domains(unit),
                            Redundancy.copies(simulation.replication()))::afterFailures,
                    counts(simulation.mostFailures()), 0, Series.Style.DASHED).ifPresent(series::add);
        }
        String name = simulation.trials() + " trials, 95 %";
        series.add(new Series(name, points, Series.Style.MARKS));
        String title = String.format(Locale.ROOT, "Loss of data on %d PEs, K = %d, %s", simulation.layout().pes(),
                simulation.replication(),
                simulation.replenishes()
                        ? "replenished after each " + simulation.replenishAfter() + " failures"
                        : "nothing replenished");
        return new LineChart(title, Axis.log(failed(unit, simulation.layout())), Axis.linear("probability of loss"),
                series);
    }

    private static String failed(FailureUnit unit, ClusterLayout layout) {
        return String.format(Locale.ROOT, "failed %ss (of %d)", unit, layout.count(unit));
    }

    private static Optional<Series> curve(String name, IntFunction<Probability> loss, List<Integer> counts,
            double least, Series.Style style) {
        List<Series.Point> points = new ArrayList<>();
        boolean exact = true;
        for (int failures : counts) {
            Probability probability = loss.apply(failures);
            double value = probability.value();
            if (value >= least) {
                exact &= probability.isExact();
                points.add(new Series.Point(failures, value));
            }
        }
        return points.isEmpty()
                ? Optional.empty()
                : Optional.of(new Series(exact ? name : name + " (at most)", points, style));
    }

    /** Some numbers from 1 to {@code most}, by equal ratios. */
    private static List<Integer> counts(int most) {
        TreeSet<Integer> counts = new TreeSet<>();
        for (int i = 0; i <= POINTS; i++) {
            counts.add((int) Math.round(Math.pow(most, (double) i / POINTS)));
        }
        return List.copyOf(counts);
    }
}

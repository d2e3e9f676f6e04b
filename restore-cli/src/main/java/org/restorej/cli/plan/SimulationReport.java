package org.restorej.cli.plan;

import java.util.Locale;
import java.util.Optional;
import org.restorej.cli.command.Redundancy;
import org.restorej.cli.risk.ConfidenceInterval;
import org.restorej.cli.risk.SimulatedLosses;
import org.restorej.internal.risk.LossRisk;
import org.restorej.report.Probability;

/**
 * The results of a simulation, compared with the formula if there is one. Intervals are of 95 %.
 *
 * @param simulation the parameters
 * @param losses the results
 */
record SimulationReport(Simulation simulation, SimulatedLosses losses) {
    /** The report as text. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(header()).append(System.lineSeparator()).append(System.lineSeparator());
        Optional<LossRisk> formula = formula();
        text.append(row("failed " + simulation.unit() + "s", "lost data in", "95 % interval",
                formula.isPresent() ? "formula" : ""));
        for (int failures : simulation.failureCounts()) {
            ConfidenceInterval simulated = losses.lossProbability(failures);
            text.append(row(String.valueOf(failures), percent(simulated.estimate()),
                    percent(simulated.low()) + " .. " + percent(simulated.high()),
                    formula.map(exact -> percent(exact.afterFailures(failures))).orElse("")));
        }
        text.append(System.lineSeparator());
        text.append(meanFailures().map(mean -> String.format(Locale.ROOT,
                "on average data was lost with failure %.1f (95 %% interval: %.1f .. %.1f)%n", mean.estimate(),
                mean.low(), mean.high())).orElseGet(() -> String.format(Locale.ROOT,
                        "some trials lost nothing in %d failures%n", simulation.maxFailures())));
        return text.toString();
    }

    private String header() {
        String replenishing = simulation.replenishes()
                ? "re-replication after each " + simulation.replenishAfter() + " failures"
                : "nothing replenished";
        String domains = simulation.layout().tellsDomains() ? ", failure domains told to the store" : "";
        return String.format(Locale.ROOT, "%d ranks, replication %d%s, %ss fail at random, %s; %d trials, seed %d",
                simulation.layout().pes(), simulation.replication(), domains, simulation.unit(), replenishing,
                simulation.trials(), simulation.seed());
    }

    private Optional<LossRisk> formula() {
        return simulation.replenishes()
                ? Optional.empty()
                : Optional.of(PlannedLoss.of(simulation.placement(),
                        simulation.layout().domains(simulation.unit()), Redundancy.copies(simulation.replication())));
    }

    /** Mean number of failures until loss; empty if a trial has ended without a loss. */
    private Optional<ConfidenceInterval> meanFailures() {
        boolean allLost = losses.lossProbability(simulation.maxFailures()).estimate() == 1;
        return allLost
                ? Optional.of(losses.expectedFailuresUntilLoss(ConfidenceInterval.CONFIDENCE_95))
                : Optional.empty();
    }

    private static String percent(Probability probability) {
        return (probability.isExact() ? "" : "<= ") + percent(probability.value());
    }

    private static String percent(double share) {
        double percent = 100 * share;
        return String.format(Locale.ROOT, percent == 0 || percent >= 0.01 ? "%.2f %%" : "%.1e %%", percent);
    }

    private static String row(String failures, String lost, String interval, String formula) {
        return String.format(Locale.ROOT, "%14s %13s %22s %14s", failures, lost, interval, formula).stripTrailing()
                + System.lineSeparator();
    }
}

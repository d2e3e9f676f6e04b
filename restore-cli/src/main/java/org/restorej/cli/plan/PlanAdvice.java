package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.restorej.report.Probability;

/** What follows from a plan, in sentences. */
final class PlanAdvice {
    /** What is taken for safe: one loss in a thousand runs. */
    static final double ACCEPTABLE_LOSS = 1e-3;

    private PlanAdvice() {}

    /** Sentences, the most important first; at least one. */
    static List<String> of(RiskPlan plan) {
        List<String> advice = new ArrayList<>();
        advice.add(plan.mission().map(mission -> leastFor(plan, LevelRisk::missionLoss,
                String.format(Locale.ROOT, "a run of %s h without replenishing", PlanText.hours(mission))))
                .orElseGet(() -> leastForOneInAHundred(plan)));
        for (FailureUnit unit : plan.layout().failureUnits()) {
            sharing(plan, unit).ifPresent(advice::add);
        }
        plan.levels().stream().filter(level -> plan.layout().pes() % level.replication() != 0).findFirst()
                .ifPresent(level -> advice.add(overlapping(plan, level.replication())));
        if (plan.levels().stream().anyMatch(level -> level.replication() == 1)) {
            advice.add("level 1 loses data with the first failure");
        }
        advice.add(
                "the tables are of failures between two calls of replenish(): after each, the count begins at 0 again; "
                        + "'restore simulate --replenish-after' estimates what that gains");
        advice.add("while a submission replaces an older one, both are in memory: twice as much");
        return advice;
    }

    private static String leastForOneInAHundred(RiskPlan plan) {
        FailureUnit unit = plan.layout().ranksPerNode() > 1 ? FailureUnit.NODE : FailureUnit.RANK;
        int failures = FailureCounts.oneInAHundred(plan.layout().count(unit));
        return leastFor(plan, level -> level.riskOf(unit).flatMap(risk -> risk.points().stream()
                .filter(point -> point.failures() == failures).map(LevelRisk.Point::loss).findFirst()),
                String.format(Locale.ROOT, "the failure of 1 %% of the %ss (%d)", unit, failures));
    }

    private static String leastFor(RiskPlan plan, Function<LevelRisk, Optional<Probability>> loss, String event) {
        return plan.levels().stream()
                .filter(level -> loss.apply(level).map(Probability::value).orElse(1.0) <= ACCEPTABLE_LOSS).findFirst()
                .map(level -> String.format(Locale.ROOT,
                        "replication %d is the least of these that survives %s but for one time in a thousand",
                        level.replication(), event))
                .orElseGet(() -> "none of these levels survives " + event
                        + " but for one time in a thousand: take a higher one, or replenish in between");
    }

    private static Optional<String> sharing(RiskPlan plan, FailureUnit unit) {
        List<LevelRisk> sharing = plan.levels().stream()
                .filter(level -> level.riskOf(unit).map(LevelRisk.UnitRisk::sharingRanges).orElse(0L) > 0).toList();
        if (sharing.isEmpty()) {
            return Optional.empty();
        }
        LevelRisk first = sharing.getFirst();
        LevelRisk.UnitRisk risk = first.riskOf(unit).orElseThrow();
        return Optional.of(String.format(Locale.ROOT,
                "with replication %d, %d of %d block ranges have replicas that share a %s: fewer than %d %s failures "
                        + "can lose data; %s",
                first.replication(), risk.sharingRanges(), plan.layout().pes(), unit, first.replication(), unit,
                remedy(plan.layout(), risk, first.replication())));
    }

    private static String remedy(ClusterLayout layout, LevelRisk.UnitRisk risk, int replication) {
        return risk.separable()
                ? "ReStoreBuilder.failureDomain keeps them apart: see --failure-domains"
                : String.format(Locale.ROOT, "spread the ranks over at least %d %ss, none with more than %d: "
                        + "ReStoreBuilder.failureDomain then keeps replicas apart, and refuses to do less",
                        replication, risk.unit(), layout.pes() / replication);
    }

    private static String overlapping(RiskPlan plan, int replication) {
        int pes = plan.layout().pes();
        return String.format(Locale.ROOT,
                "%d PEs are no multiple of replication %d: a loss is up to %d times as likely as with %d PEs", pes,
                replication, replication, (pes / replication + 1) * replication);
    }
}

package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.restorej.report.Probability;

/** Conclusions from a plan, as sentences. */
final class PlanAdvice {
    /** Probability that counts as safe: one loss in a thousand runs. */
    static final double ACCEPTABLE_LOSS = 1e-3;

    private PlanAdvice() {}

    /** The sentences, the most important first; at least one. */
    static List<String> of(RiskPlan plan) {
        List<String> advice = new ArrayList<>();
        advice.add(plan.mission().map(mission -> minFor(plan, LevelRisk::missionLoss,
                String.format(Locale.ROOT, "a run of %s h without replenishing", PlanText.hours(mission))))
                .orElseGet(() -> minForOneInAHundred(plan)));
        for (FailureUnit unit : plan.layout().failureUnits()) {
            sharing(plan, unit).ifPresent(advice::add);
        }
        if (plan.levels().stream().anyMatch(level -> level.redundancy().parts() == 1)) {
            advice.add("level 1 loses data with the first failure");
        }
        advice.add(
                "the tables are of failures between two calls of replenish(): after each, the count begins at 0 again; "
                        + "'restore simulate --replenish-after' estimates what that gains");
        advice.add("while a submission replaces an older one, both are in memory: twice as much");
        return advice;
    }

    private static String minForOneInAHundred(RiskPlan plan) {
        FailureUnit unit = plan.layout().ranksPerNode() > 1 ? FailureUnit.NODE : FailureUnit.RANK;
        int failures = FailureCounts.oneInAHundred(plan.layout().count(unit));
        return minFor(plan, level -> level.riskOf(unit).flatMap(risk -> risk.points().stream()
                .filter(point -> point.failures() == failures).map(LevelRisk.Point::loss).findFirst()),
                String.format(Locale.ROOT, "the failure of 1 %% of the %ss (%d)", unit, failures));
    }

    private static String minFor(RiskPlan plan, Function<LevelRisk, Optional<Probability>> loss, String event) {
        return plan.levels().stream()
                .filter(level -> loss.apply(level).map(Probability::value).orElse(1.0) <= ACCEPTABLE_LOSS)
                .min(Comparator.comparingDouble(level -> level.redundancy().memoryFactor()))
                .map(level -> String.format(Locale.ROOT,
                        "%s is the least of these that survives %s but for one time in a thousand",
                        level.redundancy(), event))
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
        String kept = first.redundancy().isCoded() ? "parts" : "replicas";
        return Optional.of(String.format(Locale.ROOT,
                "with %s, %d of %d block ranges have %s that share a %s: fewer than %d %s failures can lose data; %s",
                first.redundancy(), risk.sharingRanges(), plan.layout().pes(), kept, unit,
                first.redundancy().parityParts() + 1, unit,
                remedy(plan.layout(), risk, first.redundancy().parts(), kept)));
    }

    private static String remedy(ClusterLayout layout, LevelRisk.UnitRisk risk, int parts, String kept) {
        return risk.separable()
                ? "ReStoreBuilder.failureDomain keeps them apart: see --failure-domains"
                : String.format(Locale.ROOT, "spread the ranks over at least %d %ss, none with more than %d: "
                        + "ReStoreBuilder.failureDomain then keeps %s apart, and refuses to do less",
                        parts, risk.unit(), layout.pes() / parts, kept);
    }
}

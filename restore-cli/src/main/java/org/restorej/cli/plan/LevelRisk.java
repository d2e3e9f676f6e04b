package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import org.restorej.cli.command.Redundancy;
import org.restorej.internal.risk.LossRisk;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/**
 * The failures that one replication level, or one code, survives.
 *
 * @param redundancy the level
 * @param expectedRankFailures mean number of consecutive failures of ranks until loss, without replenishment
 * @param isExpectationExact whether that is the mean, not only a lower bound
 * @param units the risk by unit of failure, from the smallest unit
 * @param missionLoss probability of loss in the whole run without replenishment, if the run is known
 */
record LevelRisk(Redundancy redundancy, double expectedRankFailures, boolean isExpectationExact,
        List<UnitRisk> units, Optional<Probability> missionLoss) {
    /**
     * The risk from failures of one kind of unit.
     *
     * @param unit that fails
     * @param sharingRanges number of block ranges whose replicas, or parts, are in fewer units than there are of them
     * @param separable whether a store that knows the units has no such ranges
     * @param points probabilities of loss, by ascending number of failures
     */
    record UnitRisk(FailureUnit unit, long sharingRanges, boolean separable, List<Point> points) {
        /** Copies the list. */
        UnitRisk {
            points = List.copyOf(points);
        }
    }

    /**
     * A point of a curve.
     *
     * @param failures number of failed random units, without replenishment
     * @param loss probability that something is lost
     */
    record Point(int failures, Probability loss) {}

    /** Copies the list. */
    LevelRisk {
        units = List.copyOf(units);
    }

    /** Computes the risk of a level. */
    static LevelRisk of(ClusterLayout layout, Optional<Mission> mission, Redundancy redundancy) {
        Placement placement = layout.placement(layout.pes(), redundancy.parts());
        List<UnitRisk> units = layout.failureUnits().stream().map(unit -> unitRisk(layout, placement, unit, redundancy))
                .toList();
        Optional<Probability> missionLoss = mission.map(run -> run.loss(layout.count(FailureUnit.NODE),
                PlannedLoss.of(placement, layout.domains(FailureUnit.NODE), redundancy)::afterFailures));
        LossRisk ofRanks = PlannedLoss.of(placement, layout.domains(FailureUnit.RANK), redundancy);
        if (!redundancy.isCoded() && layout.pes() % redundancy.parts() == 0) {
            return new LevelRisk(redundancy, meanFailures(layout.pes(), redundancy.parts()), true, units, missionLoss);
        }
        return new LevelRisk(redundancy, PlannedLoss.meanFailures(ofRanks), false, units, missionLoss);
    }

    /** {@code (P + 1) * product over i = 1 .. P / K of iK / (iK + 1)}, if K divides P. */
    private static double meanFailures(int pes, int replication) {
        double mean = pes + 1.0;
        for (long slot = replication; slot <= pes; slot += replication) {
            mean *= slot / (slot + 1.0);
        }
        return mean;
    }

    private static UnitRisk unitRisk(ClusterLayout layout, Placement placement, FailureUnit unit,
            Redundancy redundancy) {
        FailureDomains domains = layout.domains(unit);
        LossRisk loss = PlannedLoss.of(placement, domains, redundancy);
        List<Point> points = FailureCounts.of(domains.domainCount()).stream()
                .map(failures -> new Point(failures, loss.afterFailures(failures))).toList();
        return new UnitRisk(unit, domains.rangesInTooFewDomains(placement).count(),
                layout.canSeparate(unit, placement.replication()), points);
    }

    /** The risk of one kind of unit, if it can fail as a whole. */
    Optional<UnitRisk> riskOf(FailureUnit unit) {
        return units.stream().filter(risk -> risk.unit() == unit).findFirst();
    }
}

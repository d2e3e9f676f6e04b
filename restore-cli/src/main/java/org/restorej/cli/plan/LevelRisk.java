package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import org.restorej.cli.risk.DomainLossProbability;
import org.restorej.cli.risk.LossProbability;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/**
 * What one replication level survives.
 *
 * @param replication the level K
 * @param expectedRankFailures mean number of ranks that fail one by one, none replenished, until something is lost
 * @param units the risk by what fails, from the smallest unit
 * @param missionLoss probability of loss in the whole run, if one is known, when nothing is replenished
 */
record LevelRisk(int replication, double expectedRankFailures, List<UnitRisk> units,
        Optional<Probability> missionLoss) {
    /**
     * The failures of one kind of unit.
     *
     * @param unit what fails
     * @param sharingRanges block ranges whose K replicas lie in fewer than K units
     * @param separable whether a store that is told of the units has no such ranges
     * @param points probabilities of loss, by ascending number of failures
     */
    record UnitRisk(FailureUnit unit, long sharingRanges, boolean separable, List<Point> points) {
        /** Copies what can change. */
        UnitRisk {
            points = List.copyOf(points);
        }
    }

    /**
     * A point of a curve.
     *
     * @param failures number of random units that have failed, none replenished
     * @param loss probability that something is lost
     */
    record Point(int failures, Probability loss) {}

    /** Copies what can change. */
    LevelRisk {
        units = List.copyOf(units);
    }

    /** Computes the risk of a level. */
    static LevelRisk of(ClusterLayout layout, Optional<Mission> mission, int replication) {
        Placement placement = layout.placement(layout.pes(), replication);
        List<UnitRisk> units = layout.failureUnits().stream().map(unit -> unitRisk(layout, placement, unit)).toList();
        Optional<Probability> missionLoss = mission.map(run -> run.loss(layout.count(FailureUnit.NODE),
                new DomainLossProbability(placement, layout.domains(FailureUnit.NODE))::afterFailures));
        double expected = new LossProbability(layout.pes(), replication).expectedFailuresUntilLoss();
        return new LevelRisk(replication, expected, units, missionLoss);
    }

    private static UnitRisk unitRisk(ClusterLayout layout, Placement placement, FailureUnit unit) {
        FailureDomains domains = layout.domains(unit);
        DomainLossProbability loss = new DomainLossProbability(placement, domains);
        List<Point> points = FailureCounts.of(domains.domainCount()).stream()
                .map(failures -> new Point(failures, loss.afterFailures(failures))).toList();
        return new UnitRisk(unit, domains.rangesInTooFewDomains(placement).count(),
                layout.canSeparate(unit, placement.replication()), points);
    }

    /** The risk of one kind of unit, if that may fail as a whole. */
    Optional<UnitRisk> riskOf(FailureUnit unit) {
        return units.stream().filter(risk -> risk.unit() == unit).findFirst();
    }
}

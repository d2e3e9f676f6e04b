package org.restorej.cli.plan;

import org.restorej.cli.command.Redundancy;
import org.restorej.internal.risk.LossRisk;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/** The risk of loss of a store, before its run, from failures of ranks, nodes or racks. */
final class PlannedLoss {
    /** The mean is summed in steps of about a thousandth of the number of failures. */
    private static final int STEPS = 1000;
    private static final double SURE = 1e-12;

    private PlannedLoss() {}

    /**
     * The risk of a placement. Ranges without blocks count as others do.
     *
     * @param placement of the blocks; its replication level is the number of parts
     * @param domains of the same ranks; the ranks of a domain fail together
     * @param redundancy the number of lost parts that are fatal
     */
    static LossRisk of(Placement placement, FailureDomains domains, Redundancy redundancy) {
        domains.checkSamePes(placement);
        int fatal = redundancy.parityParts() + 1;
        int together = domains.neighboursIn(placement);
        if (together > 0 && placement.shift() % together == 0) {
            // Whole domains hold ranges as ranks do.
            return LossRisk.ofPlacement(domains.domainCount(), redundancy.parts(), fatal);
        }
        LossRisk.Builder groups = new LossRisk.Builder();
        int[] holders = new int[redundancy.parts()];
        for (int range = 0; range < placement.peCount(); range++) {
            for (int part = 0; part < holders.length; part++) {
                holders[part] = domains.domainOf(placement.holder(range, part));
            }
            groups.add(holders, holders.length, fatal);
        }
        return groups.build(domains.domainCount());
    }

    /**
     * Expected number of failures, one after the other, until loss, the last one included: the sum over f of the
     * probability that nothing is lost after f failures. Up to 0.1 % too small if the risk is a bound, or after more
     * than a thousand failures.
     */
    static double meanFailures(LossRisk risk) {
        double mean = 0;
        int failures = 0;
        while (failures < risk.alive()) {
            int step = Math.min(risk.alive() - failures, 1 + failures / STEPS);
            double nothing = 1 - risk.afterFailures(failures + step - 1).value();
            mean += step * nothing;
            if (nothing < SURE) {
                break;
            }
            failures += step;
        }
        return mean;
    }
}

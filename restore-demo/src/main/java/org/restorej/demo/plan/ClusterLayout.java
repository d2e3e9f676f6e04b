package org.restorej.demo.plan;

import java.util.ArrayList;
import java.util.List;
import org.restorej.risk.FailureDomains;

/**
 * How ranks lie on a cluster: they fill one node after the other, and nodes one rack after the other.
 *
 * @param pes number of PEs P, {@code 1 .. MOST_PES}
 * @param ranksPerNode consecutive ranks on a node; the last node may have fewer
 * @param nodesPerRack consecutive nodes in a rack; 0 when racks don't fail as a whole
 */
record ClusterLayout(int pes, int ranksPerNode, int nodesPerRack) {
    /** What the arithmetic for nodes does in a heap of half a gigabyte: some 60 bytes a PE, and copysets once a level. */
    static final int MOST_PES = 1 << 22;

    /** Checks the numbers. */
    ClusterLayout {
        if (pes < 1 || pes > MOST_PES) {
            throw new IllegalArgumentException("pes must be in 1.." + MOST_PES + ": pes=" + pes);
        }
        if (ranksPerNode < 1) {
            throw new IllegalArgumentException("ranksPerNode must be at least 1: ranksPerNode=" + ranksPerNode);
        }
        if (nodesPerRack < 0) {
            throw new IllegalArgumentException("nodesPerRack must be at least 0: nodesPerRack=" + nodesPerRack);
        }
    }

    /** What may fail as a whole here, from the smallest. A node of one rank is that rank. */
    List<FailureUnit> failureUnits() {
        List<FailureUnit> units = new ArrayList<>(List.of(FailureUnit.RANK));
        if (ranksPerNode > 1) {
            units.add(FailureUnit.NODE);
        }
        if (nodesPerRack > 1) {
            units.add(FailureUnit.RACK);
        }
        return units;
    }

    /** What a unit fails with. */
    FailureDomains domains(FailureUnit unit) {
        return FailureDomains.consecutive(pes, ranksPer(unit));
    }

    /** Number of units. */
    int count(FailureUnit unit) {
        return Math.ceilDiv(pes, ranksPer(unit));
    }

    /** Ranks of a full unit, P at most. */
    int ranksPer(FailureUnit unit) {
        long ranks = switch (unit) {
            case RANK -> 1;
            case NODE -> ranksPerNode;
            case RACK -> (long) ranksPerNode * Math.max(1, nodesPerRack);
        };
        return (int) Math.min(pes, ranks);
    }
}

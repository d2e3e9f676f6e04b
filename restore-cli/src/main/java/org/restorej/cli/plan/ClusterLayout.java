package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * The distribution of ranks over a cluster whose nodes fill one rack after the other.
 *
 * @param pes number of ranks P, {@code 1 .. MAX_PES}
 * @param ranksPerNode maximum number of ranks on a node
 * @param nodesPerRack consecutive nodes in a rack; 0 if racks don't fail as a whole
 * @param ranks order of the ranks on the nodes
 * @param tellsDomains whether every rank names its node, and its rack if racks fail, to the store
 */
record ClusterLayout(int pes, int ranksPerNode, int nodesPerRack, RankLayout ranks, boolean tellsDomains) {
    /**
     * Limit for a heap of half a gigabyte: the formulas for nodes take some 60 bytes a rank, and copysets once for each
     * level.
     */
    static final int MAX_PES = 1 << 22;

    /** Checks the numbers. */
    ClusterLayout {
        if (pes < 1 || pes > MAX_PES) {
            throw new IllegalArgumentException("pes must be in 1.." + MAX_PES + ": pes=" + pes);
        }
        if (ranksPerNode < 1) {
            throw new IllegalArgumentException("ranksPerNode must be at least 1: ranksPerNode=" + ranksPerNode);
        }
        if (nodesPerRack < 0) {
            throw new IllegalArgumentException("nodesPerRack must be at least 0: nodesPerRack=" + nodesPerRack);
        }
    }

    /** The units that may fail as a whole, from the smallest. A node with one rank is that rank. */
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

    /** The partition of the ranks into units. */
    FailureDomains domains(FailureUnit unit) {
        if (ranks == RankLayout.BY_NODE || unit == FailureUnit.RANK) {
            return FailureDomains.consecutive(pes, ranksPer(unit));
        }
        int nodes = count(FailureUnit.NODE);
        int together = unit == FailureUnit.NODE ? 1 : Math.max(1, nodesPerRack);
        return FailureDomains.of(IntStream.range(0, pes).map(rank -> rank % nodes / together).toArray());
    }

    /** The placement of a number of blocks, with replicas in different domains if the store knows them. */
    Placement placement(long blocks, int replication) {
        return tellsDomains
                ? Placement.separating(blocks, replication, domainOrder())
                : new Placement(pes, blocks, replication);
    }

    /** Whether a store that knows the units keeps the replicas of every range in different ones. */
    boolean canSeparate(FailureUnit unit, int replication) {
        return domains(unit).canSeparate(replication);
    }

    /** The domains that ranks pass to the store, largest first. */
    private FailureDomains[] domainOrder() {
        FailureDomains nodes = domains(FailureUnit.NODE);
        return nodesPerRack > 1
                ? new FailureDomains[]{domains(FailureUnit.RACK), nodes}
                : new FailureDomains[]{nodes};
    }

    /** Number of units. */
    int count(FailureUnit unit) {
        return Math.ceilDiv(pes, ranksPer(unit));
    }

    /** Number of ranks in a full unit, at most P. */
    int ranksPer(FailureUnit unit) {
        long ranks = switch (unit) {
            case RANK -> 1;
            case NODE -> ranksPerNode;
            case RACK -> (long) ranksPerNode * Math.max(1, nodesPerRack);
        };
        return (int) Math.min(pes, ranks);
    }
}

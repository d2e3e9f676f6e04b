package org.restorej.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/**
 * How ranks lie on a cluster, where nodes fill one rack after the other, and whether the store is told of it.
 *
 * @param pes number of PEs P, {@code 1 .. MAX_PES}
 * @param ranksPerNode most ranks on a node
 * @param nodesPerRack consecutive nodes in a rack; 0 when racks don't fail as a whole
 * @param ranks which rank is on which node
 * @param tellsDomains whether every PE names its node, and its rack if racks fail, to the store
 */
record ClusterLayout(int pes, int ranksPerNode, int nodesPerRack, RankLayout ranks, boolean tellsDomains) {
    /**
     * What the arithmetic for nodes does in a heap of half a gigabyte: some 60 bytes a PE, and copysets once a level.
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
        if (ranks == RankLayout.BY_NODE || unit == FailureUnit.RANK) {
            return FailureDomains.consecutive(pes, ranksPer(unit));
        }
        int nodes = count(FailureUnit.NODE);
        int together = unit == FailureUnit.NODE ? 1 : Math.max(1, nodesPerRack);
        return FailureDomains.of(IntStream.range(0, pes).map(rank -> rank % nodes / together).toArray());
    }

    /** Who holds what in a store of so many blocks, with replicas in different domains if the store is told of them. */
    Placement placement(long blocks, int replication) {
        return tellsDomains
                ? Placement.separating(blocks, replication, domainOrder())
                : new Placement(pes, blocks, replication);
    }

    /** Whether a store that is told of them keeps the replicas of every range in different units of this kind. */
    boolean canSeparate(FailureUnit unit, int replication) {
        return domains(unit).canSeparate(replication);
    }

    /** As the store would order PEs that name their racks and nodes. */
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

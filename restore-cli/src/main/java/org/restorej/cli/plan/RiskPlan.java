package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import org.restorej.cli.command.Redundancy;

/**
 * The costs of replication levels and codes on a cluster, and the failures that they survive.
 *
 * @param layout the cluster
 * @param dataBytesPerPe data of one rank, before replication
 * @param mission the run, if its duration and the failure rate of nodes are known
 * @param levels the levels, ascending, then the codes
 * @param files levels of storage in which a loop saves as well
 */
record RiskPlan(ClusterLayout layout, long dataBytesPerPe, Optional<Mission> mission, List<LevelRisk> levels,
        List<FileLevel> files) {
    /** Copies the lists. */
    RiskPlan {
        levels = List.copyOf(levels);
        files = List.copyOf(files);
    }

    /**
     * Computes a plan; takes some milliseconds for each probability.
     *
     * @param layout the cluster
     * @param dataBytesPerPe data of one rank, before replication
     * @param mission the run, if known
     * @param redundancies the levels and codes
     * @param files levels of storage
     */
    static RiskPlan of(ClusterLayout layout, long dataBytesPerPe, Optional<Mission> mission,
            List<Redundancy> redundancies, List<FileLevel> files) {
        return new RiskPlan(layout, dataBytesPerPe, mission,
                redundancies.stream().map(redundancy -> LevelRisk.of(layout, mission, redundancy)).toList(), files);
    }

    /** Whether the plan has a code. */
    boolean hasCodes() {
        return levels.stream().anyMatch(level -> level.redundancy().isCoded());
    }

    /** Memory of replicas, or parts, on a rank in bytes; a double, as it may exceed a long. */
    double replicaBytesPerPe(LevelRisk level) {
        return dataBytesPerPe * level.redundancy().memoryFactor();
    }

    /** Memory of replicas in a full unit, in bytes. */
    double replicaBytesPer(FailureUnit unit, LevelRisk level) {
        return replicaBytesPerPe(level) * layout.ranksPer(unit);
    }

    /** Memory of all replicas, in bytes. */
    double replicaBytes(LevelRisk level) {
        return replicaBytesPerPe(level) * layout.pes();
    }
}

package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import org.restorej.cli.command.Redundancy;

/**
 * What replication levels and codes cost on a cluster, and what they survive.
 *
 * @param layout the cluster
 * @param dataBytesPerPe data of one PE, before replication
 * @param mission the run, if it is known how long it takes and how often nodes fail
 * @param levels the levels, ascending, then the codes
 * @param files levels of storage in which a loop saves as well
 */
record RiskPlan(ClusterLayout layout, long dataBytesPerPe, Optional<Mission> mission, List<LevelRisk> levels,
        List<FileLevel> files) {
    /** Copies what can change. */
    RiskPlan {
        levels = List.copyOf(levels);
        files = List.copyOf(files);
    }

    /**
     * Computes a plan; takes some milliseconds for each probability.
     *
     * @param layout the cluster
     * @param dataBytesPerPe data of one PE, before replication
     * @param mission the run, if known
     * @param redundancies the levels and codes
     * @param files levels of storage
     */
    static RiskPlan of(ClusterLayout layout, long dataBytesPerPe, Optional<Mission> mission,
            List<Redundancy> redundancies, List<FileLevel> files) {
        return new RiskPlan(layout, dataBytesPerPe, mission,
                redundancies.stream().map(redundancy -> LevelRisk.of(layout, mission, redundancy)).toList(), files);
    }

    /** Whether there is a code to be compared. */
    boolean hasCodes() {
        return levels.stream().anyMatch(level -> level.redundancy().isCoded());
    }

    /** Memory that replicas, or parts, take on a PE, in bytes: a double, as it may be more than a long can say. */
    double replicaBytesPerPe(LevelRisk level) {
        return dataBytesPerPe * level.redundancy().memoryFactor();
    }

    /** Memory that replicas take in a full unit, in bytes. */
    double replicaBytesPer(FailureUnit unit, LevelRisk level) {
        return replicaBytesPerPe(level) * layout.ranksPer(unit);
    }

    /** Memory that all replicas take, in bytes. */
    double replicaBytes(LevelRisk level) {
        return replicaBytesPerPe(level) * layout.pes();
    }
}

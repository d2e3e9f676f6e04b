package org.restorej.cli.plan;

import org.restorej.loop.CheckpointInterval;
import org.restorej.redset.RedundancyDescriptor;

/**
 * Checkpoints of a loop in files at one level of storage, at the interval that loses the least time.
 *
 * @param storage where they are
 * @param survives which failures they survive
 * @param saveSeconds time of a checkpoint
 * @param intervalSeconds Daly's interval between two
 * @param share of the run's time that checkpoints and repeated work take; 1 is the whole time without failures again
 */
record FileLevel(String storage, String survives, double saveSeconds, double intervalSeconds, double share) {
    /**
     * On the nodes' own disks, with XOR over sets of at least {@value RedundancyDescriptor#DEFAULT_SET_SIZE} nodes, or of
     * all where there are fewer; the smallest set has the most redundancy.
     *
     * @param layout with at least 2 nodes
     */
    static FileLevel ofNodes(ClusterLayout layout, double dataBytesPerPe, Mission mission, double bytesPerSecond) {
        int nodes = layout.count(FailureUnit.NODE);
        int sets = Math.max(1, nodes / RedundancyDescriptor.DEFAULT_SET_SIZE);
        int smallest = nodes / sets;
        String size = smallest + (nodes % sets == 0 ? "" : " or " + (smallest + 1));
        double bytes = dataBytesPerPe * layout.ranksPerNode() * smallest / (smallest - 1);
        return of("node's disk, XOR of " + size, "one node of each " + size, bytes / bytesPerSecond, layout, mission);
    }

    /** On the file system that all nodes share. */
    static FileLevel shared(ClusterLayout layout, double dataBytesPerPe, Mission mission, double bytesPerSecond) {
        return of("shared file system", "all nodes", dataBytesPerPe * layout.pes() / bytesPerSecond, layout, mission);
    }

    private static FileLevel of(String storage, String survives, double save, ClusterLayout layout, Mission mission) {
        double mean = 3600 * mission.mtbfNodeHours() / layout.count(FailureUnit.NODE);
        double interval = CheckpointInterval.dalySeconds(save, mean);
        // Daly's equation for the whole running time, failures at random.
        return new FileLevel(storage, survives, save, interval,
                mean * Math.expm1((interval + save) / mean) / interval - 1);
    }
}

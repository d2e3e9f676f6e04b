package org.restorej.cli.plan;

import org.restorej.loop.CheckpointInterval;
import org.restorej.redset.RedundancyDescriptor;

/**
 * Checkpoints of a loop in files at one level of storage, at the interval with the lowest expected loss of time.
 *
 * @param storage name of the storage
 * @param survives failures that the files survive
 * @param saveSeconds duration of a checkpoint
 * @param intervalSeconds Daly's interval between two checkpoints
 * @param share time of checkpoints and repeated work, relative to the time of a run without failures
 */
record FileLevel(String storage, String survives, double saveSeconds, double intervalSeconds, double share) {
    /**
     * Files on the nodes' own disks, with XOR over sets of at least {@value RedundancyDescriptor#DEFAULT_SET_SIZE}
     * nodes, or over all nodes if there are fewer. The smallest set has the most redundancy.
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

    /** Files on the file system that all nodes share. */
    static FileLevel shared(ClusterLayout layout, double dataBytesPerPe, Mission mission, double bytesPerSecond) {
        return of("shared file system", "all nodes", dataBytesPerPe * layout.pes() / bytesPerSecond, layout, mission);
    }

    private static FileLevel of(String storage, String survives, double save, ClusterLayout layout, Mission mission) {
        double mean = 3600 * mission.mtbfNodeHours() / layout.count(FailureUnit.NODE);
        double interval = CheckpointInterval.dalySeconds(save, mean);
        // Daly's equation for the expected total time, with failures at random times.
        return new FileLevel(storage, survives, save, interval,
                mean * Math.expm1((interval + save) / mean) / interval - 1);
    }
}

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
    private static final int SET_SIZE = RedundancyDescriptor.DEFAULT_SET_SIZE;

    /** On the nodes' own disks, with XOR over sets of {@value RedundancyDescriptor#DEFAULT_SET_SIZE} nodes. */
    static FileLevel ofNodes(ClusterLayout layout, double dataBytesPerPe, Mission mission, double bytesPerSecond) {
        double bytes = dataBytesPerPe * layout.ranksPerNode() * SET_SIZE / (SET_SIZE - 1);
        return of("node's disk, XOR of " + SET_SIZE, "one node of each " + SET_SIZE, bytes / bytesPerSecond, layout,
                mission);
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

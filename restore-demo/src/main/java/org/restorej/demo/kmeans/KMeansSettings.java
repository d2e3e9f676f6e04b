package org.restorej.demo.kmeans;

import org.restorej.demo.run.FailureSchedule;

/**
 * What is clustered, and how; the same on every PE.
 *
 * @param cloud the points
 * @param clusters number of clusters k, at most as many as there are points
 * @param iterations how many
 * @param replication level K of the store
 * @param failures who fails when
 */
public record KMeansSettings(PointCloud cloud, int clusters, int iterations, int replication,
        FailureSchedule failures) {}

package org.restorej.demo.kmeans;

import org.restorej.cli.command.Redundancy;
import org.restorej.demo.run.FailureSchedule;

/**
 * What is clustered, and how; the same on every PE.
 *
 * @param cloud the points
 * @param clusters number of clusters k, at most as many as there are points
 * @param iterations how many
 * @param redundancy how the store keeps blocks
 * @param failures who fails when
 */
public record KMeansSettings(PointCloud cloud, int clusters, int iterations, Redundancy redundancy,
        FailureSchedule failures) {}

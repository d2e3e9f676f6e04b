package org.restorej.demo.pagerank;

import org.restorej.cli.command.Redundancy;
import org.restorej.demo.run.FailureSchedule;

/**
 * What is ranked, and how; the same on every PE.
 *
 * @param graph whose vertices are ranked
 * @param damping part of a rank that flows along edges, from 0 to less than 1; the rest goes to all vertices
 * @param iterations how many
 * @param redundancy how the store keeps blocks
 * @param failures who fails when
 */
public record PageRankSettings(Graph graph, double damping, int iterations, Redundancy redundancy,
        FailureSchedule failures) {}

package org.restorej.demo.phylo.run;

import org.restorej.cli.command.Redundancy;

/**
 * The settings of a run; the same on every PE.
 *
 * @param mode what an iteration computes
 * @param iterations number of iterations; the maximum number when optimising
 * @param redundancy how the store keeps blocks
 * @param failures the planned failures
 * @param wantsSiteValues whether to return the log-likelihood of each site
 * @param wantsValues whether to return the log-likelihood of each iteration
 * @param kills whether failing PEs are processes that are killed, even if no other process survives that
 * @param restarted whether a failure in the next iteration has ended the job before, and doesn't happen again
 */
public record RunSettings(Mode mode, int iterations, Redundancy redundancy, FailureSchedule failures,
        boolean wantsSiteValues, boolean wantsValues, boolean kills, boolean restarted) {}

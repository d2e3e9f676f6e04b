package org.restorej.demo.phylo.run;

import org.restorej.cli.command.Redundancy;

/**
 * How it is computed; the same on every PE.
 *
 * @param mode what an iteration is
 * @param iterations how many; when optimising, how many at most
 * @param redundancy how the store keeps blocks
 * @param failures who fails when
 * @param wantsSiteValues whether the log-likelihood of each site is asked for
 * @param wantsValues whether the log-likelihood of each iteration is asked for
 * @param kills whether who fails is a process that is killed, also where no other survives that
 * @param restarted whether a failure in the iteration that comes next has ended the job once, and doesn't happen again
 */
public record RunSettings(Mode mode, int iterations, Redundancy redundancy, FailureSchedule failures,
        boolean wantsSiteValues, boolean wantsValues, boolean kills, boolean restarted) {}

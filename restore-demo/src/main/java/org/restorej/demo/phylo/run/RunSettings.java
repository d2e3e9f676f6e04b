package org.restorej.demo.phylo.run;

import org.restorej.cli.command.Redundancy;
import org.restorej.demo.run.FailureSchedule;

/**
 * How it is computed; the same on every PE.
 *
 * @param mode what an iteration is
 * @param iterations how many; when optimising, how many at most
 * @param redundancy how the store keeps blocks
 * @param failures who fails when
 * @param wantsSiteValues whether the log-likelihood of each site is asked for
 * @param kills whether who fails is a process that is killed, also where no other survives that
 */
public record RunSettings(Mode mode, int iterations, Redundancy redundancy, FailureSchedule failures,
        boolean wantsSiteValues, boolean kills) {}

/**
 * Real MPI jobs whose ranks are killed at random times. Calls the store, as an application does, and the test support
 * in {@code comm.testing.mpi}.
 *
 * <p>
 * To change jobs on several nodes, start at {@code NodeFailureIT}: {@code bin/lib/hosts.sh} has their settings,
 * {@code tests/nodes} makes nodes, {@code tests/lib/in-node} starts things there. To change jobs under Slurm, start at
 * {@code SlurmIT}: {@code tests/lib/slurm.sh} starts it on nodes, {@code tests/lib/slurm-outside} is its {@code srun} for
 * MPIs in root folders.
 */
@NullMarked
package org.restorej.storm;

import org.jspecify.annotations.NullMarked;

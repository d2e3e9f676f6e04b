/**
 * Starts real MPI jobs from tests: any main class on any number of ranks, each with its output, and its failure on
 * demand.
 */
@NullMarked
package org.restorej.comm.testing.mpi;

import org.jspecify.annotations.NullMarked;

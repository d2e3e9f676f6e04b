/**
 * Real MPI jobs whose ranks are killed at random times. Calls the store, as an application does, and the test support
 * in {@code comm.testing.mpi}.
 */
@NullMarked
package org.restorej.storm;

import org.jspecify.annotations.NullMarked;

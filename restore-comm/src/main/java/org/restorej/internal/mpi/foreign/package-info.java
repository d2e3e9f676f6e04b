/**
 * MPI called by foreign functions: any library with the ABI of Open MPI, MPICH or the MPI standard.
 *
 * <p>
 * Calls {@code internal.mpi} and {@code internal.foreign}; {@code comm.mpi} calls it.
 *
 * <p>
 * To change which libmpi is loaded, start at {@code LibrarySearch}, which lists candidates; {@code ForeignLibraries}
 * loads the first that fits the {@code Launcher}. To add an MPI with another ABI, start at {@code MpiFamily}, which
 * tells it apart; {@code Constants} has its table, {@code comm.testing.mpi.MpiFlavour} of the tests starts it. To change
 * how many ranks a rank believes to be on its node, and so whether it yields its core, start at {@code LocalCores}.
 */
@NullMarked
package org.restorej.internal.mpi.foreign;

import org.jspecify.annotations.NullMarked;

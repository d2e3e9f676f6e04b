/**
 * The functions of an MPI library that communicators on MPI call: two dozen by foreign functions, those of ULFM, and
 * the search for the library, which may have the ABI of Open MPI, MPICH or the MPI standard.
 *
 * <p>
 * Calls {@code internal.foreign}; {@code comm.mpi} calls it. {@code internal.mpi.bindings} sends and receives through
 * Open MPI's Java bindings instead.
 *
 * <p>
 * To change how a failure under MPI is detected, or shrink and agreement, start at {@code Ulfm}: {@code ForeignUlfm}
 * calls MPI, {@code comm.mpi.PlainMpi} simulates failures; {@code MpiException.Meaning} decodes the errors,
 * {@code comm.mpi.MpiFailures} uses both. To call another function of MPI, start at {@code MpiComm}, with a line in
 * {@code Functions}. A pending operation is an {@code MpiOperation}, which {@code comm.mpi.MpiRequest} extends.
 *
 * <p>
 * To change which libmpi is loaded, start at {@code LibrarySearch}, which lists candidates; {@code ForeignLibraries}
 * loads the first that fits the {@code Launcher}. To add an MPI with another ABI, start at {@code MpiFamily}, which
 * identifies it; {@code Constants} has its table, {@code comm.testing.mpi.MpiFlavour} of the tests starts it. To change
 * how many ranks a rank assumes on its node, and so whether it yields its core, start at {@code LocalCores}.
 */
@NullMarked
package org.restorej.internal.mpi;

import org.jspecify.annotations.NullMarked;

/**
 * What communicators on MPI call: two dozen functions of an MPI library, and those of ULFM.
 *
 * <p>
 * Two packages implement them: {@code internal.mpi.bindings} by Open MPI's Java bindings, {@code internal.mpi.foreign}
 * by foreign functions. Calls {@code internal.foreign}; {@code comm.mpi} calls it.
 *
 * <p>
 * To change how a failure under MPI is detected, or shrink and agreement, start at {@code Ulfm}:
 * {@code internal.mpi.foreign.ForeignUlfm} calls MPI, {@code comm.mpi.PlainUlfm} simulates failures;
 * {@code MpiException.Meaning} reads the errors, {@code comm.mpi.MpiFailures} uses both. To call another function of
 * MPI, start at {@code MpiComm}, then {@code internal.mpi.foreign.ForeignComm} with a line in
 * {@code internal.mpi.foreign.Functions}, and {@code internal.mpi.bindings.BindingsComm}.
 */
@NullMarked
package org.restorej.internal.mpi;

import org.jspecify.annotations.NullMarked;

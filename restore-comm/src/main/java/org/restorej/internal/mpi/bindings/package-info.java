/**
 * Initializes and finalizes MPI, and sends and receives messages, through the Java bindings of Open MPI.
 *
 * <p>
 * Calls {@code internal.mpi} and {@code mpi.*}, which no other package of the libraries but {@code comm.mpi} names;
 * {@code comm.mpi} calls it.
 *
 * <p>
 * To change a call of the bindings, start at {@code BindingsComm}.
 */
@NullMarked
package org.restorej.internal.mpi.bindings;

import org.jspecify.annotations.NullMarked;

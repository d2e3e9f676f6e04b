/**
 * Communicators on MPI.
 *
 * <p>
 * Programs enter through {@link org.restorej.comm.mpi.Mpi}, which calls any MPI library by foreign functions, or
 * through {@link org.restorej.comm.mpi.EmbeddedMpi}, which calls Open MPI by its Java bindings. Where Open MPI runs with
 * ULFM, failures of processes are real and are detected; elsewhere all ranks simulate them together. {@link org.restorej.comm.mpi.Programs} starts programs so, or on threads. Calls
 * {@code org.restorej.comm}, {@code comm.local}, {@code internal.mpi} and {@code internal.program}.
 *
 * <p>
 * To change what becomes of a rank that ends without {@code Mpi.finish}, start at {@code RankEnd}; {@code MpiProcess} has
 * the way out of MPI, {@code internal.mpi.ExitSignal} the process's part under ULFM, {@code WaitLimit} the limit of
 * waiting; {@code internal.program.LaunchedRank} tells {@code bin/mpirun-java} how far a rank has come. To change what
 * becomes of a message that is given up, start at {@code MpiRequest}. To change failures on an MPI that survives none,
 * start at {@code PlainMpi}. To change what a communicator makes of ULFM, start at
 * {@code MpiCommunicator}, with {@code MpiFailures}.
 */
@NullMarked
package org.restorej.comm.mpi;

import org.jspecify.annotations.NullMarked;

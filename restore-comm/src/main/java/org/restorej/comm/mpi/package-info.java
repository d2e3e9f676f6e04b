/**
 * Communicators on MPI.
 *
 * <p>
 * Programs enter through {@link org.restorej.comm.mpi.Mpi}, which calls any MPI library by foreign functions, or
 * through {@link org.restorej.comm.mpi.EmbeddedMpi}, which calls Open MPI by its Java bindings. Where Open MPI runs with
 * ULFM, failures of processes are real and are detected; elsewhere failures are simulated, and the rest of the project
 * can't tell the difference. {@link org.restorej.comm.mpi.Programs} starts programs so, or on threads. Calls
 * {@code org.restorej.comm}, {@code comm.local}, {@code internal.mpi} and {@code internal.program}.
 *
 * <p>
 * To change what becomes of a rank that ends without {@code Mpi.finish}, start at {@code RankEnd}; {@code UlfmEnd} has
 * its part under ULFM, {@code bin/lib/rank} the process's, {@code WaitLimit} the limit of waiting. To change
 * what becomes of a message that is given up, start at {@code MpiRequest}. To change failures
 * on an MPI that survives none, start at {@code SimulatedUlfm}, with {@code SimulatedComm}, {@code SimulatedFailures} and
 * {@code AgreementRounds}. To change what a communicator makes of ULFM, start at {@code MpiCommunicator}, with
 * {@code MpiFailures}.
 */
@NullMarked
package org.restorej.comm.mpi;

import org.jspecify.annotations.NullMarked;

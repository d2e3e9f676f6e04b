/**
 * Communicators on MPI.
 *
 * <p>
 * Programs enter through {@link org.restorej.comm.mpi.Mpi}, which calls any MPI library by foreign functions, or
 * through {@link org.restorej.comm.mpi.EmbeddedMpi}, which calls Open MPI through its Java bindings. Under Open MPI
 * with ULFM, failures of processes are real and are detected; elsewhere all ranks simulate them together.
 * {@link org.restorej.comm.mpi.Programs} uses MPI or threads. Uses {@code org.restorej.comm}, {@code comm.local},
 * {@code internal.mpi} and {@code internal.program}.
 *
 * <p>
 * To change what happens when a rank ends without {@code Mpi.finish}, start at {@code RankEnd}; {@code MpiProcess} ends
 * MPI, {@code internal.mpi.ExitSignal} is the process's part under ULFM, {@code WaitLimit} limits waits;
 * {@code internal.program.LaunchedRank} reports a rank's progress to {@code bin/mpirun-java}. To change what happens to
 * a cancelled message, start at {@code MpiRequest}. To change failures on an MPI that does not survive any, start at
 * {@code PlainMpi}. To change how a communicator uses ULFM, start at {@code MpiCommunicator}, with {@code MpiFailures}
 * for known failures, {@code MpiPending} for what MPI has not ended, and {@code DerivedCommunicators} for
 * {@code duplicate}, {@code split} and {@code shrink}.
 */
@NullMarked
package org.restorej.comm.mpi;

import org.jspecify.annotations.NullMarked;

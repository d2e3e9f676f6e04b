/**
 * Communicators on MPI.
 *
 * <p>
 * Programs enter through {@link org.restorej.comm.mpi.Mpi}, which calls any MPI library by foreign functions, or
 * through {@link org.restorej.comm.mpi.EmbeddedMpi}, which calls Open MPI by its Java bindings. Where Open MPI runs with
 * ULFM, processes really die and are really noticed; elsewhere failures are simulated, and the rest of the project
 * can't tell the difference. {@link org.restorej.comm.mpi.Programs} starts programs so, or on threads. Calls
 * {@code org.restorej.comm}, {@code comm.local}, {@code internal.mpi} and {@code internal.program}, and nothing else of
 * this project.
 */
@NullMarked
package org.restorej.comm.mpi;

import org.jspecify.annotations.NullMarked;

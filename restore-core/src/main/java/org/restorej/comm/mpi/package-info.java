/**
 * Communicators on Open MPI: the only package that knows its Java bindings ({@code mpi.*}).
 *
 * <p>
 * Programs enter through {@link org.restorej.comm.mpi.OpenMpi}. Where Open MPI runs with ULFM, processes really die and
 * are really noticed; elsewhere failures are simulated, and the rest of the project can't tell the difference. Calls
 * {@code org.restorej.comm} and {@code internal.program}, and nothing else of this project.
 */
@NullMarked
package org.restorej.comm.mpi;

import org.jspecify.annotations.NullMarked;

/** MPI called by foreign functions: any library with the interface of Open MPI, MPICH or the MPI standard's ABI. */
@NullMarked
package org.restorej.internal.mpi.foreign;

import org.jspecify.annotations.NullMarked;

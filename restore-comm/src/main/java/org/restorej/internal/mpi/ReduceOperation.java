package org.restorej.internal.mpi;

/** How MPI reduces elements. */
public enum ReduceOperation {
    /** Their sum. */
    SUM,
    /** The smallest. */
    MIN,
    /** The greatest. */
    MAX,
    /** Their bitwise and. */
    BITWISE_AND
}

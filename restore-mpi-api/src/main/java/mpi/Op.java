package mpi;

/** An MPI reduction operation. */
public final class Op {
    Op() {}
}

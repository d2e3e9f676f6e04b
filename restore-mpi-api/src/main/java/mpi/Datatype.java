package mpi;

/** An MPI datatype. */
public final class Datatype {
    Datatype() {}
}

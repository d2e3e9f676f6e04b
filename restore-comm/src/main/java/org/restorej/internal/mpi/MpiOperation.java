package org.restorej.internal.mpi;

/** A pending operation of MPI. Whoever holds it holds the memory that MPI reads or writes. */
public interface MpiOperation {
    /**
     * Whether it has ended; asks MPI once. After true or an exception it must not be called again.
     *
     * @throws MpiException when it has ended with an error
     */
    boolean test() throws MpiException;

    /** Asks MPI to end a receive before a message has come; {@link #test} tells when it has. */
    void cancel() throws MpiException;
}

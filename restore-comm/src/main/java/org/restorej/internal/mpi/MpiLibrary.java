package org.restorej.internal.mpi;

import java.lang.foreign.SymbolLookup;

/** An MPI library that is loaded into this process. */
public interface MpiLibrary {
    /** Thread levels, in MPI's order. */
    enum Threads {
        /** MPI_THREAD_SINGLE. */
        SINGLE,
        /** MPI_THREAD_FUNNELED. */
        FUNNELED,
        /** MPI_THREAD_SERIALIZED. */
        SERIALIZED,
        /** MPI_THREAD_MULTIPLE. */
        MULTIPLE
    }

    /** MPI_Initialized. */
    boolean isInitialized() throws MpiException;

    /** MPI_Finalized. */
    boolean isFinalized() throws MpiException;

    /**
     * MPI_Init_thread.
     *
     * @return whether the level is granted
     */
    boolean initialize(String[] args, Threads level) throws MpiException;

    /** Whether MPI grants MPI_THREAD_MULTIPLE (MPI_Query_thread). */
    boolean allowsManyThreads() throws MpiException;

    /** MPI_Finalize. */
    void end() throws MpiException;

    /** MPI_COMM_WORLD, told to return its errors. */
    MpiComm world() throws MpiException;

    /** Takes over a communicator by its handle; it returns its errors from now on. */
    MpiComm communicator(long handle) throws MpiException;

    /** Name and version, in one line. */
    String version();

    /** The functions of the library by their names in C. */
    SymbolLookup symbols();

    /** The error that a function has returned, by its code. */
    MpiException error(int code);
}

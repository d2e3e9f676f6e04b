package org.restorej.internal.mpi;

import java.lang.foreign.SymbolLookup;

/** An MPI library that is loaded into this process. */
public interface MpiLibrary {
    /** The last of the thread levels, which are numbered from 0 in MPI's order. */
    int THREAD_MULTIPLE = 3;

    /** MPI_Initialized. */
    boolean isInitialized() throws MpiException;

    /** MPI_Finalized. */
    boolean isFinalized() throws MpiException;

    /**
     * MPI_Init_thread.
     *
     * @param level of MPI_THREAD_SINGLE, FUNNELED, SERIALIZED and MULTIPLE, numbered from 0
     * @return whether the level is granted
     */
    boolean initialize(String[] args, int level) throws MpiException;

    /** Whether MPI grants MPI_THREAD_MULTIPLE (MPI_Query_thread). */
    boolean allowsManyThreads() throws MpiException;

    /** MPI_Finalize. */
    void end() throws MpiException;

    /** MPI_Abort: ends all processes of the job. */
    void abort(int exitCode) throws MpiException;

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

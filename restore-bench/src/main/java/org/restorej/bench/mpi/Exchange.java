package org.restorej.bench.mpi;

import org.restorej.bench.bytes.WrongBytesException;

/** Moves bytes between PEs, as often as wanted. Used by one thread; all PEs call the same methods in the same order. */
interface Exchange extends AutoCloseable {
    /** Bytes that this PE wants, or hands in: what all PEs have together is what a rate is made of. Local. */
    long bytes();

    /** Makes what the last run has brought unrecognisable, so that the next one can't live off it. Collective. */
    void clear();

    /** Brings everything back to where a run begins, for what can't be run twice. Collective, not measured. */
    default void prepare() {}

    /** Moves the bytes: what is measured. Collective. */
    void run();

    /**
     * Looks at every byte that has arrived. Collective.
     *
     * @throws WrongBytesException on the PE where one is not what it should be
     */
    void check();

    /** Frees memory, files and communicators. Collective. */
    @Override
    void close();
}

package org.restorej.bench.mpi;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.foreign.ForeignCall;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.MpiNotFoundException;

/**
 * MPI for rivals, called as the library calls it, so that a comparison is one of protocols. Messages go by its
 * {@link #communicator}. Not thread-safe.
 */
final class PlainMpi {
    private final MpiLibrary library;
    private final MpiComm communicator;
    private final MemorySegment barrier;

    /** A communicator of all PEs, when MPI is initialised. Collective. */
    PlainMpi() {
        try {
            library = ForeignLibraries.load();
            communicator = library.world().duplicate();
        } catch (MpiNotFoundException | MpiException failure) {
            throw new IllegalStateException("MPI_Comm_dup: " + failure.getMessage(), failure);
        }
        barrier = library.symbols().findOrThrow("MPI_Barrier");
    }

    /** For messages. Used by nothing else. */
    MpiComm communicator() {
        return communicator;
    }

    /** MPI_Barrier. Collective. */
    void barrier() {
        int code = ForeignCall.call(barrier, communicator.handle());
        if (code != 0) {
            throw new IllegalStateException("MPI_Barrier", library.error(code));
        }
    }
}

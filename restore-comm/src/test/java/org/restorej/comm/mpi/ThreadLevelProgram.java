package org.restorej.comm.mpi;

import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.MpiLibrary;

/** Initialises MPI for several threads at once, and then asks for a communicator. */
public final class ThreadLevelProgram {
    private ThreadLevelProgram() {}

    /** Runs. */
    public static void main(String[] args) throws Exception {
        MpiLibrary library = ForeignLibraries.load();
        System.out.println("granted: " + library.initialize(args, MpiLibrary.THREAD_MULTIPLE));
        try {
            System.out.println(EmbeddedMpi.onHandle(library.world().handle()).description());
        } catch (Mpi.UnavailableException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
        library.end();
    }
}

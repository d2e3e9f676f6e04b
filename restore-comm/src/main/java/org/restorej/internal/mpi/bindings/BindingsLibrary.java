package org.restorej.internal.mpi.bindings;

import java.lang.foreign.SymbolLookup;
import mpi.Intracomm;
import mpi.MPI;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;

/** The Open MPI that the Java bindings have loaded. They initialize and finalize MPI, and create its communicators. */
public final class BindingsLibrary extends MpiLibrary {
    /** Wraps the library behind the class {@code mpi.MPI}, which must be loaded. */
    public BindingsLibrary() {
        super(SymbolLookup.loaderLookup());
    }

    @Override
    public boolean initialize(String[] args, int level) throws MpiException {
        return BindingsComm.call(() -> MPI.InitThread(args, level)) >= level;
    }

    @Override
    public void end() throws MpiException {
        BindingsComm.run(MPI::Finalize);
    }

    @Override
    public MpiComm communicator(long handle) throws MpiException {
        return BindingsComm.ofHandle(this, handle);
    }

    /**
     * Wraps a communicator of a program. It stays the program's, but returns errors from now on.
     *
     * @param intracomm of the program
     */
    public MpiComm of(Intracomm intracomm) throws MpiException {
        return new BindingsComm(this, intracomm);
    }

    /** Throws if a communicator isn't called through the bindings. */
    public static void requireBindings(MpiComm communicator) {
        if (!(communicator instanceof BindingsComm)) {
            throw new IllegalArgumentException("the communicator's MPI is not called by the Java bindings, so there is "
                    + "no Intracomm for it: start it with EmbeddedMpi.world, or use EmbeddedMpi.handle");
        }
    }

    /** The bindings' object of a communicator that is called through them. */
    public static Intracomm intracomm(MpiComm communicator) {
        return ((BindingsComm) communicator).intracomm();
    }
}

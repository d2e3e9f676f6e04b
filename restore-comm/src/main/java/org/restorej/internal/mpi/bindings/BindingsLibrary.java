package org.restorej.internal.mpi.bindings;

import java.lang.foreign.SymbolLookup;
import mpi.Intracomm;
import mpi.MPI;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;

/** The Open MPI that the Java bindings have loaded. They begin and end MPI, and make its communicators. */
public final class BindingsLibrary extends MpiLibrary {
    /** The library behind the class {@code mpi.MPI}, which must be there. */
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
     * A communicator of a program, which stays its own, but returns its errors from now on.
     *
     * @param intracomm of the program
     */
    public MpiComm of(Intracomm intracomm) throws MpiException {
        return new BindingsComm(this, intracomm);
    }

    /** Throws unless a communicator's MPI is called by the bindings. */
    public static void requireBindings(MpiComm communicator) {
        if (!(communicator instanceof BindingsComm)) {
            throw new IllegalArgumentException("the communicator's MPI is not called by the Java bindings, so there is "
                    + "no Intracomm for it: start it with EmbeddedMpi.world, or use EmbeddedMpi.handle");
        }
    }

    /** The bindings' view of a communicator that is called by them. */
    public static Intracomm intracomm(MpiComm communicator) {
        return ((BindingsComm) communicator).intracomm();
    }
}

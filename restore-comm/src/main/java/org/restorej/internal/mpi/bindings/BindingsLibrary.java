package org.restorej.internal.mpi.bindings;

import java.lang.foreign.SymbolLookup;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;

/** The Open MPI that the Java bindings have loaded. */
public final class BindingsLibrary implements MpiLibrary {
    /** The library behind the class {@code mpi.MPI}, which must be there. */
    public BindingsLibrary() {}

    @Override
    public boolean isInitialized() throws MpiException {
        return call(MPI::isInitialized);
    }

    @Override
    public boolean isFinalized() throws MpiException {
        return call(MPI::isFinalized);
    }

    @Override
    public boolean initialize(String[] args, int level) throws MpiException {
        return call(() -> MPI.InitThread(args, level)) >= level;
    }

    @Override
    public boolean allowsManyThreads() throws MpiException {
        return call(MPI::queryThread) == THREAD_MULTIPLE;
    }

    @Override
    public void end() throws MpiException {
        run(MPI::Finalize);
    }

    @Override
    public void abort(int exitCode) throws MpiException {
        run(() -> MPI.COMM_WORLD.abort(exitCode));
    }

    @Override
    public MpiComm world() throws MpiException {
        return new BindingsComm(MPI.COMM_WORLD);
    }

    @Override
    public MpiComm communicator(long handle) throws MpiException {
        return BindingsComm.ofHandle(handle);
    }

    /**
     * A communicator of a program, which stays its own, but returns its errors from now on.
     *
     * @param intracomm of the program
     */
    public static MpiComm of(Intracomm intracomm) throws MpiException {
        return new BindingsComm(intracomm);
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

    @Override
    public String version() {
        return MPI.getLibVersion().lines().findFirst().orElse("").strip();
    }

    @Override
    public SymbolLookup symbols() {
        return SymbolLookup.loaderLookup();
    }

    @Override
    public MpiException error(int code) {
        SymbolLookup symbols = symbols();
        return MpiException.of(code, symbols.findOrThrow("MPI_Error_string"), symbols.findOrThrow("MPI_Error_class"));
    }

    /** A call of the bindings. */
    interface Call<T extends @Nullable Object> {
        T run() throws MPIException;
    }

    /** A call of the bindings without a result. */
    interface Run {
        void run() throws MPIException;
    }

    static <T extends @Nullable Object> T call(Call<T> call) throws MpiException {
        try {
            return call.run();
        } catch (MPIException e) {
            throw exception(e);
        }
    }

    static void run(Run call) throws MpiException {
        BindingsLibrary.<@Nullable Object>call(() -> {
            call.run();
            return null;
        });
    }

    private static MpiException exception(MPIException error) {
        MpiException exception = new MpiException(error.getErrorCode(), error.getErrorClass(), error.getMessage());
        exception.initCause(error);
        return exception;
    }
}

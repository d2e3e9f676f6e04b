package org.restorej.internal.mpi.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.foreign.ForeignCall;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;

/** An MPI library called by foreign functions. */
public final class ForeignLibrary implements MpiLibrary {
    /** MPI_MAX_LIBRARY_VERSION_STRING is 256 to 8192. */
    private static final int MAX_VERSION_BYTES = 8192;

    private final SymbolLookup symbols;
    private final Functions functions;
    private final Constants constants;
    private final String version;
    private final boolean sharesCores;

    /**
     * A loaded library, which has all functions.
     *
     * @param sharesCores whether the ranks of this node outnumber its cores; other nodes may differ
     */
    ForeignLibrary(SymbolLookup symbols, Functions functions, Constants constants, String version,
            boolean sharesCores) {
        this.symbols = symbols;
        this.functions = functions;
        this.constants = constants;
        this.version = version;
        this.sharesCores = sharesCores;
    }

    /** MPI_Get_library_version of a library that need not be initialised, its first line. */
    static String versionOf(MemorySegment function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MAX_VERSION_BYTES);
            ForeignCall.call(function, text.address(), arena.allocate(ValueLayout.JAVA_INT).address());
            return text.getString(0).lines().findFirst().orElse("").strip().replaceAll("\\s+", " ");
        }
    }

    Functions functions() {
        return functions;
    }

    Constants constants() {
        return constants;
    }

    /** Whether a rank that polls in vain should yield: MPI doesn't, and others of the node need its core. */
    boolean needsYield() {
        return sharesCores && !isOpenMpi();
    }

    /** Whether calls that block yield where ranks share cores; the same on all ranks. */
    boolean isOpenMpi() {
        return isOpenMpi(version);
    }

    /** Whether a library of this version is Open MPI, with whichever binary interface. */
    static boolean isOpenMpi(String version) {
        return version.startsWith("Open MPI");
    }

    @Override
    public boolean isInitialized() throws MpiException {
        return number(functions.initialized) != 0;
    }

    @Override
    public boolean isFinalized() throws MpiException {
        return number(functions.finalized) != 0;
    }

    private int number(MemorySegment function) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_INT);
            check(ForeignCall.call(function, result.address()));
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    public boolean initialize(String[] args, int level) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment granted = arena.allocate(ValueLayout.JAVA_INT);
            int required = constants.threadLevel(level);
            check(ForeignCall.call(functions.initThread, 0, 0, required, granted.address(), 0));
            return granted.get(ValueLayout.JAVA_INT, 0) >= required;
        }
    }

    @Override
    public boolean allowsManyThreads() throws MpiException {
        return number(functions.queryThread) >= constants.threadLevel(THREAD_MULTIPLE);
    }

    @Override
    public void end() throws MpiException {
        check(ForeignCall.call(functions.end, 0));
    }

    @Override
    public void abort(int exitCode) throws MpiException {
        check(ForeignCall.call(functions.abort, constants.world(), exitCode));
    }

    @Override
    public MpiComm world() throws MpiException {
        return communicator(constants.world());
    }

    @Override
    public MpiComm communicator(long handle) throws MpiException {
        return new ForeignComm(this, handle);
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public SymbolLookup symbols() {
        return symbols;
    }

    private void check(int code) throws MpiException {
        if (code != 0) {
            throw error(code);
        }
    }

    @Override
    public MpiException error(int code) {
        return MpiException.of(code, functions.errorString, functions.errorClass);
    }
}

package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.foreign.ForeignCall;

/** An MPI library that is loaded into this process. Each method is the MPI function that its documentation names. */
public class MpiLibrary {
    /** MPI_MAX_LIBRARY_VERSION_STRING is 256 to 8192. */
    private static final int MAX_VERSION_BYTES = 8192;

    /** Any thread may call MPI, one at a time. Thread levels are numbered from 0 in MPI's order. */
    public static final int THREAD_SERIALIZED = 2;

    /** Threads may call MPI at once. */
    public static final int THREAD_MULTIPLE = 3;

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
    MpiLibrary(SymbolLookup symbols, Functions functions, Constants constants, String version, boolean sharesCores) {
        this.symbols = symbols;
        this.functions = functions;
        this.constants = constants;
        this.version = version;
        this.sharesCores = sharesCores;
    }

    /** The Open MPI that the Java bindings have loaded. */
    protected MpiLibrary(SymbolLookup symbols) {
        this(symbols, new Functions(symbols), Constants.openMpi(symbols),
                versionOf(symbols.findOrThrow("MPI_Get_library_version")), false);
    }

    /** MPI_Get_library_version of a library that need not be initialised, its first line. */
    static String versionOf(MemorySegment function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MAX_VERSION_BYTES);
            ForeignCall.call(function, text.address(), arena.allocate(ValueLayout.JAVA_INT).address());
            return text.getString(0).lines().findFirst().orElse("").strip().replaceAll("\\s+", " ");
        }
    }

    final Functions functions() {
        return functions;
    }

    final Constants constants() {
        return constants;
    }

    /** Whether a rank that polls in vain should yield: MPI doesn't, and others of the node need its core. */
    final boolean needsYield() {
        return sharesCores && !isOpenMpi();
    }

    /** Whether calls that block yield where ranks share cores; the same on all ranks. */
    final boolean isOpenMpi() {
        return isOpenMpi(version);
    }

    /** Whether a library of this version is Open MPI, with whichever binary interface. */
    static boolean isOpenMpi(String version) {
        return version.startsWith("Open MPI");
    }

    /** MPI_Initialized. */
    public final boolean isInitialized() throws MpiException {
        return number(functions.initialized) != 0;
    }

    /** MPI_Finalized. */
    public final boolean isFinalized() throws MpiException {
        return number(functions.finalized) != 0;
    }

    private int number(MemorySegment function) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_INT);
            check(ForeignCall.call(function, result.address()));
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * MPI_Init_thread.
     *
     * @param args of the program, for the Java bindings
     * @param level of MPI_THREAD_SINGLE, FUNNELED, SERIALIZED and MULTIPLE, numbered from 0
     * @return whether the level is granted
     */
    public boolean initialize(String[] args, int level) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment granted = arena.allocate(ValueLayout.JAVA_INT);
            int required = constants.threadLevel(level);
            check(ForeignCall.call(functions.initThread, 0, 0, required, granted.address(), 0));
            return granted.get(ValueLayout.JAVA_INT, 0) >= required;
        }
    }

    /** Whether MPI grants MPI_THREAD_MULTIPLE (MPI_Query_thread). */
    public final boolean allowsManyThreads() throws MpiException {
        return number(functions.queryThread) >= constants.threadLevel(THREAD_MULTIPLE);
    }

    /** MPI_Finalize. */
    public void end() throws MpiException {
        check(ForeignCall.call(functions.end, 0));
    }

    /** MPI_Abort: ends all processes of the job. */
    public final void abort(int exitCode) throws MpiException {
        check(ForeignCall.call(functions.abort, constants.world(), exitCode));
    }

    /** MPI_COMM_WORLD, told to return its errors. */
    public final MpiComm world() throws MpiException {
        return communicator(constants.world());
    }

    /** Takes over a communicator by its handle; it returns its errors from now on. */
    public MpiComm communicator(long handle) throws MpiException {
        return new MpiComm(this, handle);
    }

    /** Name and version, in one line. */
    public final String version() {
        return version;
    }

    /** The functions of the library by their names in C. */
    public final SymbolLookup symbols() {
        return symbols;
    }

    /** Throws what the code of a function means, unless it is 0. */
    final void check(int code) throws MpiException {
        if (code != 0) {
            throw error(code);
        }
    }

    /** The error that a function has returned, by its code. */
    public final MpiException error(int code) {
        return MpiException.of(code, functions.errorString, functions.errorClass);
    }
}

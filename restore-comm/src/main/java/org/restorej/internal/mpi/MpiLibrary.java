package org.restorej.internal.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.foreign.ForeignCall;

/** An MPI library that is loaded into this process. Each method calls the MPI function that its documentation names. */
public class MpiLibrary {
    /** MPI_MAX_LIBRARY_VERSION_STRING is 256 to 8192. */
    private static final int MAX_VERSION_BYTES = 8192;

    /** Thread level: any thread may call MPI, one at a time. Levels are numbered from 0 in MPI's order. */
    public static final int THREAD_SERIALIZED = 2;

    /** Thread level: threads may call MPI concurrently. */
    public static final int THREAD_MULTIPLE = 3;

    private final SymbolLookup symbols;
    private final Functions functions;
    private final Constants constants;
    private final String version;
    private final boolean sharesCores;

    /**
     * Wraps a loaded library, which has all functions.
     *
     * @param sharesCores whether this node has more ranks than cores; other nodes may differ
     */
    MpiLibrary(SymbolLookup symbols, Functions functions, Constants constants, String version, boolean sharesCores) {
        this.symbols = symbols;
        this.functions = functions;
        this.constants = constants;
        this.version = version;
        this.sharesCores = sharesCores;
    }

    /** Wraps the Open MPI that the Java bindings have loaded. */
    protected MpiLibrary(SymbolLookup symbols) {
        this(symbols, new Functions(symbols), Constants.openMpi(symbols),
                versionOf(symbols.findOrThrow("MPI_Get_library_version")), false);
    }

    /** MPI_Get_library_version, first line; works before initialization. */
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

    /**
     * Whether a rank should yield after an unsuccessful poll: MPI itself doesn't, and other ranks of the node need the
     * core.
     */
    final boolean needsYield() {
        return sharesCores && !isOpenMpi();
    }

    /** Whether blocking calls yield when ranks share cores; the same on all ranks. */
    final boolean isOpenMpi() {
        return isOpenMpi(version);
    }

    /** Whether this is a version text of Open MPI, with any ABI. */
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
     * @param level MPI_THREAD_SINGLE, FUNNELED, SERIALIZED or MULTIPLE, numbered from 0
     * @return whether MPI provides the level
     */
    public boolean initialize(String[] args, int level) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment granted = arena.allocate(ValueLayout.JAVA_INT);
            int required = constants.threadLevel(level);
            check(ForeignCall.call(functions.initThread, 0, 0, required, granted.address(), 0));
            return granted.get(ValueLayout.JAVA_INT, 0) >= required;
        }
    }

    /** Whether MPI provides MPI_THREAD_MULTIPLE (MPI_Query_thread). */
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

    /** MPI_COMM_WORLD, set to return errors. */
    public final MpiComm world() throws MpiException {
        return communicator(constants.world());
    }

    /** Wraps the communicator of a handle; it returns errors from now on. */
    public MpiComm communicator(long handle) throws MpiException {
        return new MpiComm(this, handle);
    }

    /** Name and version, in one line. */
    public final String version() {
        return version;
    }

    /** The functions of the library, by their C names. */
    public final SymbolLookup symbols() {
        return symbols;
    }

    /** Throws the error of a code, unless it is 0. */
    final void check(int code) throws MpiException {
        if (code != 0) {
            throw error(code);
        }
    }

    /** The error of a code that a function has returned. */
    public final MpiException error(int code) {
        return MpiException.of(code, functions.errorString, functions.errorClass);
    }
}

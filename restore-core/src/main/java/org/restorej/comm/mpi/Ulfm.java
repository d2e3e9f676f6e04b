package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * User-level failure mitigation: the functions of the MPI library, missing in its Java bindings, with which survivors
 * go on. Communicators are the library's handles here.
 *
 * <p>
 * All method handles are made at initialisation, about 0.1 s: making one takes milliseconds, which recovery should not
 * pay. Each call returns MPI's error code.
 *
 * @param revoke MPIX_Comm_revoke(comm)
 * @param isRevoked MPIX_Comm_is_revoked(comm, flag)
 * @param shrink MPIX_Comm_shrink(comm, fresh comm)
 * @param agree MPIX_Comm_agree(comm, flags)
 * @param startAgreement MPIX_Comm_iagree(comm, flags, request)
 * @param test MPI_Test(request, done, status)
 * @param getFailed MPIX_Comm_get_failed(comm, group)
 * @param commGroup MPI_Comm_group(comm, group)
 * @param groupSize MPI_Group_size(group, size)
 * @param groupFree MPI_Group_free(group)
 * @param translateRanks MPI_Group_translate_ranks(group, n, ranks, other group, other ranks)
 * @param errorString MPI_Error_string(code, text, length)
 * @param kill kill(pid, signal) of the C library
 * @see <a href="https://fault-tolerance.org">Fault tolerance research hub: ULFM specification</a>
 */
record Ulfm(MethodHandle revoke, MethodHandle isRevoked, MethodHandle shrink, MethodHandle agree,
        MethodHandle startAgreement, MethodHandle test, MethodHandle getFailed,
        MethodHandle commGroup, MethodHandle groupSize, MethodHandle groupFree, MethodHandle translateRanks,
        MethodHandle errorString, MethodHandle kill) {
    /** MPI_MAX_ERROR_STRING is 256 in every Open MPI; four times that can't be too little. */
    private static final int MAX_ERROR_STRING_BYTES = 1024;

    private static final int SIGKILL = 9;

    /**
     * The functions, or why they can't be used.
     *
     * @param functions empty when failures can only be simulated
     * @param explanation completes the sentence "Open MPI ...:"
     */
    record Availability(Optional<Ulfm> functions, String explanation) {}

    /** An MPI function returned an error code. */
    static final class UlfmException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int code;

        UlfmException(int code, String text) {
            super(text);
            this.code = code;
        }

        int code() {
            return code;
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /** Looks the functions up in the MPI library that the Java bindings have loaded and initialised. */
    static Availability lookUp() {
        SymbolLookup library = SymbolLookup.loaderLookup();
        Functions functions = new Functions(library);
        if (!functions.has("Comm_shrink")) {
            return new Availability(Optional.empty(),
                    "it has no functions for fault tolerance (MPIX_Comm_shrink), so failures are only simulated");
        }
        if (!isEnabled(library)) {
            return new Availability(Optional.empty(),
                    "the job was started without fault tolerance (mpirun --with-ft ulfm), so failures are only simulated");
        }
        return new Availability(Optional.of(functions.link()), "processes may fail (ULFM)");
    }

    /** Open MPI 5 has the functions in every job; whether failures are looked for is a variable of the library. */
    private static boolean isEnabled(SymbolLookup library) {
        return library.find("ompi_ftmpi_enabled")
                .map(variable -> variable.reinterpret(1).get(ValueLayout.JAVA_BYTE, 0) != 0).orElse(true);
    }

    /** Finds and links functions whose prefix is MPIX_ today, and MPI_ when the standard has them. */
    private record Functions(SymbolLookup library) {
        private static final FunctionDescriptor HANDLE = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS);
        private static final FunctionDescriptor HANDLE_RESULT = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        private static final FunctionDescriptor THREE_ADDRESSES = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        private static final FunctionDescriptor TRANSLATE = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS,
                ValueLayout.ADDRESS);
        private static final FunctionDescriptor CODE_TEXT = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        private static final FunctionDescriptor TWO_INTS = FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

        Optional<MemorySegment> find(String name) {
            return library.find("MPIX_" + name).or(() -> library.find("MPI_" + name));
        }

        boolean has(String name) {
            return find(name).isPresent();
        }

        MethodHandle link(String name, FunctionDescriptor descriptor) {
            MemorySegment address = find(name).orElseThrow(
                    () -> new MpiUnavailableException("the MPI library has fault tolerance, but no MPIX_" + name,
                            null));
            return Linker.nativeLinker().downcallHandle(address, descriptor);
        }

        Ulfm link() {
            Linker linker = Linker.nativeLinker();
            return new Ulfm(link("Comm_revoke", HANDLE), link("Comm_is_revoked", HANDLE_RESULT),
                    link("Comm_shrink", HANDLE_RESULT), link("Comm_agree", HANDLE_RESULT),
                    link("Comm_iagree", THREE_ADDRESSES), link("Test", THREE_ADDRESSES),
                    link("Comm_get_failed", HANDLE_RESULT), link("Comm_group", HANDLE_RESULT),
                    link("Group_size", HANDLE_RESULT), link("Group_free", HANDLE),
                    link("Group_translate_ranks", TRANSLATE), link("Error_string", CODE_TEXT),
                    linker.downcallHandle(linker.defaultLookup().findOrThrow("kill"), TWO_INTS));
        }
    }

    void revoke(long communicator) throws UlfmException {
        check(call(revoke, MemorySegment.ofAddress(communicator)));
    }

    boolean isRevoked(long communicator) throws UlfmException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
            check(call(isRevoked, MemorySegment.ofAddress(communicator), flag));
            return flag.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    /** The handle of a communicator of the survivors. Called by all of them; blocks. */
    long shrink(long communicator) throws UlfmException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fresh = arena.allocate(ValueLayout.JAVA_LONG);
            check(call(shrink, MemorySegment.ofAddress(communicator), fresh));
            return fresh.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Agrees on the bitwise and of flags. Called by all survivors; blocks.
     *
     * @param flags replaced by the agreed ones, even when this throws because a process has failed
     */
    void agree(long communicator, int[] flags) throws UlfmException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment agreed = arena.allocateFrom(ValueLayout.JAVA_INT, flags[0]);
            int code = call(agree, MemorySegment.ofAddress(communicator), agreed);
            flags[0] = agreed.get(ValueLayout.JAVA_INT, 0);
            check(code);
        }
    }

    /**
     * Starts an agreement on the bitwise and of flags. Called by all survivors.
     *
     * @param flags of this process
     */
    PendingAgreement startAgreement(long communicator, int flags) throws UlfmException {
        Arena arena = Arena.ofConfined();
        PendingAgreement pending = new PendingAgreement(this, arena, arena.allocateFrom(ValueLayout.JAVA_INT, flags),
                arena.allocate(ValueLayout.ADDRESS), arena.allocate(ValueLayout.JAVA_INT));
        check(call(startAgreement, MemorySegment.ofAddress(communicator), pending.flags, pending.request));
        return pending;
    }

    /** An agreement under way; must not be closed before it has ended. */
    record PendingAgreement(Ulfm ulfm, Arena arena, MemorySegment flags, MemorySegment request, MemorySegment done)
            implements
                AutoCloseable {
        /** Whether all survivors have agreed. Throws when a process has failed, once they have. */
        boolean test() throws UlfmException {
            ulfm.check(call(ulfm.test, request, done, MemorySegment.NULL));
            return done.get(ValueLayout.JAVA_INT, 0) != 0;
        }

        int agreedFlags() {
            return flags.get(ValueLayout.JAVA_INT, 0);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /** Ranks of the communicator whose processes this process knows to have failed. */
    IntSortedSet failedRanks(long communicator) throws UlfmException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment failed = arena.allocate(ValueLayout.ADDRESS);
            check(call(getFailed, MemorySegment.ofAddress(communicator), failed));
            IntSortedSet ranks = ranksOf(failed.get(ValueLayout.ADDRESS, 0), communicator, arena);
            check(call(groupFree, failed));
            return ranks;
        }
    }

    /** Ranks that the processes of one communicator have in another. */
    IntSortedSet ranksIn(long communicator, long other) throws UlfmException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment members = arena.allocate(ValueLayout.ADDRESS);
            check(call(commGroup, MemorySegment.ofAddress(communicator), members));
            IntSortedSet ranks = ranksOf(members.get(ValueLayout.ADDRESS, 0), other, arena);
            check(call(groupFree, members));
            return ranks;
        }
    }

    private IntSortedSet ranksOf(MemorySegment group, long communicator, Arena arena) throws UlfmException {
        MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
        check(call(groupSize, group, number));
        int size = number.get(ValueLayout.JAVA_INT, 0);
        IntSortedSet ranks = new IntAVLTreeSet();
        if (size == 0) {
            return ranks;
        }
        MemorySegment own = arena.allocate(ValueLayout.JAVA_INT, size);
        MemorySegment translated = arena.allocate(ValueLayout.JAVA_INT, size);
        for (int i = 0; i < size; i++) {
            own.setAtIndex(ValueLayout.JAVA_INT, i, i);
        }
        MemorySegment members = arena.allocate(ValueLayout.ADDRESS);
        check(call(commGroup, MemorySegment.ofAddress(communicator), members));
        check(translateRanks(group, size, own, members.get(ValueLayout.ADDRESS, 0), translated));
        check(call(groupFree, members));
        for (int i = 0; i < size; i++) {
            ranks.add(translated.getAtIndex(ValueLayout.JAVA_INT, i));
        }
        return ranks;
    }

    /** Ends a process at once, as a crash would: SIGKILL can't be caught, and nothing is flushed or closed. */
    void kill(long pid) {
        try {
            int ignored = (int) kill.invokeExact((int) pid, SIGKILL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private void check(int code) throws UlfmException {
        if (code != 0) {
            throw new UlfmException(code, text(code));
        }
    }

    private String text(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MAX_ERROR_STRING_BYTES);
            int ignored = (int) errorString.invokeExact(code, text, arena.allocate(ValueLayout.JAVA_INT));
            return text.getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    // Exact calls, one place for each signature, so that the first call in an emergency finds them linked already: what
    // initialisation calls warms all functions of the same shape.

    private static int call(MethodHandle function, MemorySegment handle) {
        try {
            return (int) function.invokeExact(handle);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int call(MethodHandle function, MemorySegment handle, MemorySegment result) {
        try {
            return (int) function.invokeExact(handle, result);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int call(MethodHandle function, MemorySegment first, MemorySegment second, MemorySegment third) {
        try {
            return (int) function.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private int translateRanks(MemorySegment group, int size, MemorySegment ranks, MemorySegment other,
            MemorySegment translated) {
        try {
            return (int) translateRanks.invokeExact(group, size, ranks, other, translated);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a foreign function can't throw an exception", thrown);
    }
}

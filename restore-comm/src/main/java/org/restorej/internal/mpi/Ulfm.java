package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.restorej.internal.foreign.ForeignCall;

/**
 * User-level failure mitigation: the functions of an MPI library with which survivors go on. They are not part of any
 * binding, so that they are called by foreign functions in any case.
 *
 * @see <a href="https://fault-tolerance.org">Fault tolerance research hub: ULFM specification</a>
 */
public final class Ulfm {
    private static final int SIGKILL = 9;

    private final MpiLibrary library;
    private final MemorySegment revoke;
    private final MemorySegment isRevoked;
    private final MemorySegment shrink;
    private final MemorySegment startAgreement;
    private final MemorySegment test;
    private final MemorySegment getFailed;
    private final MemorySegment commGroup;
    private final MemorySegment groupSize;
    private final MemorySegment groupFree;
    private final MemorySegment translateRanks;
    private final MemorySegment kill = Linker.nativeLinker().defaultLookup().findOrThrow("kill");

    private Ulfm(MpiLibrary library) {
        this.library = library;
        revoke = function("Comm_revoke");
        isRevoked = function("Comm_is_revoked");
        shrink = function("Comm_shrink");
        startAgreement = function("Comm_iagree");
        test = function("Test");
        getFailed = function("Comm_get_failed");
        commGroup = function("Comm_group");
        groupSize = function("Group_size");
        groupFree = function("Group_free");
        translateRanks = function("Group_translate_ranks");
    }

    /**
     * The functions, or why they can't be used.
     *
     * @param functions empty when failures can only be simulated
     * @param explanation completes the sentence "Open MPI ...:"
     */
    public record Availability(Optional<Ulfm> functions, String explanation) {}

    /** Looks the functions up in a library that is initialised. */
    public static Availability lookUp(MpiLibrary library) {
        if (!library.version().startsWith("Open MPI")) {
            // MPICH exports some of the functions, and aborts in them.
            return new Availability(Optional.empty(),
                    "only Open MPI survives the failure of a process, so failures are only simulated");
        }
        if (find(library.symbols(), "Comm_shrink").isEmpty()) {
            return new Availability(Optional.empty(),
                    "it has no functions for fault tolerance (MPIX_Comm_shrink), so failures are only simulated");
        }
        if (!isEnabled(library.symbols())) {
            return new Availability(Optional.empty(),
                    "the job was started without fault tolerance (mpirun --with-ft ulfm), so failures are only "
                            + "simulated");
        }
        return new Availability(Optional.of(new Ulfm(library)), "processes may fail (ULFM)");
    }

    /** Open MPI 5 has the functions in every job; whether failures are looked for is a variable of the library. */
    private static boolean isEnabled(SymbolLookup symbols) {
        return symbols.find("ompi_ftmpi_enabled")
                .map(variable -> variable.reinterpret(1).get(ValueLayout.JAVA_BYTE, 0) != 0).orElse(true);
    }

    /** The prefix is MPIX_ as long as a function is not part of the standard. */
    private static Optional<MemorySegment> find(SymbolLookup symbols, String name) {
        return symbols.find("MPIX_" + name).or(() -> symbols.find("MPI_" + name));
    }

    private MemorySegment function(String name) {
        return find(library.symbols(), name).orElseThrow(() -> new IllegalStateException(
                "the MPI library has fault tolerance, but no MPIX_" + name + ": " + library.version()));
    }

    private void check(int code) throws MpiException {
        if (code != 0) {
            throw library.error(code);
        }
    }

    /** MPIX_Comm_revoke. */
    public void revoke(MpiComm communicator) throws MpiException {
        check(ForeignCall.call(revoke, communicator.handle()));
    }

    /** MPIX_Comm_is_revoked. */
    public boolean isRevoked(MpiComm communicator) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
            check(ForeignCall.call(isRevoked, communicator.handle(), flag.address()));
            return flag.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    /** MPIX_Comm_shrink: a communicator of the survivors. Called by all of them; blocks. */
    public MpiComm shrink(MpiComm communicator) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fresh = arena.allocate(ValueLayout.JAVA_LONG);
            check(ForeignCall.call(shrink, communicator.handle(), fresh.address()));
            return library.communicator(fresh.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /**
     * MPIX_Comm_iagree: starts an agreement on the bitwise and of flags. Called by all survivors.
     *
     * @param flags of this process
     */
    public PendingAgreement startAgreement(MpiComm communicator, int flags) throws MpiException {
        PendingAgreement pending = new PendingAgreement(this, flags);
        int code = ForeignCall.call(startAgreement, communicator.handle(), pending.flags.address(),
                pending.request.address());
        if (code != 0) {
            pending.close();
            throw library.error(code);
        }
        return pending;
    }

    /** An agreement under way; must not be closed before it has ended. */
    public static final class PendingAgreement implements AutoCloseable {
        private final Ulfm ulfm;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment flags;
        private final MemorySegment request = arena.allocate(ValueLayout.JAVA_LONG);
        private final MemorySegment done = arena.allocate(ValueLayout.JAVA_INT);

        private PendingAgreement(Ulfm ulfm, int flags) {
            this.ulfm = ulfm;
            this.flags = arena.allocateFrom(ValueLayout.JAVA_INT, flags);
        }

        /** Whether all survivors have agreed. Throws when a process has failed, once they have. */
        public boolean test() throws MpiException {
            // MPI_STATUS_IGNORE is 0 in Open MPI and in the standard's interface.
            ulfm.check(ForeignCall.call(ulfm.test, request.address(), done.address(), 0));
            return done.get(ValueLayout.JAVA_INT, 0) != 0;
        }

        /** What they have agreed on. */
        public int agreedFlags() {
            return flags.get(ValueLayout.JAVA_INT, 0);
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /** MPIX_Comm_get_failed: ranks of the communicator whose processes this process knows to have failed. */
    public IntSortedSet failedRanks(MpiComm communicator) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment failed = arena.allocate(ValueLayout.JAVA_LONG);
            check(ForeignCall.call(getFailed, communicator.handle(), failed.address()));
            long group = failed.get(ValueLayout.JAVA_LONG, 0);
            int[] members = new int[sizeOf(group, arena)];
            for (int i = 0; i < members.length; i++) {
                members[i] = i;
            }
            int[] ranks = members.length == 0 ? members : translated(group, members, communicator, arena);
            check(ForeignCall.call(groupFree, failed.address()));
            return new IntAVLTreeSet(ranks);
        }
    }

    /**
     * The ranks of a communicator that a shrunk one is without.
     *
     * <p>
     * Those known to have failed are asked for in the shrunk one: Open MPI searches a group for each rank that it
     * translates, so that translating all survivors would take O(P^2). Only when that doesn't explain all who are
     * missing all ranks are translated.
     */
    public IntSortedSet missingRanks(MpiComm communicator, MpiComm shrunk) throws MpiException {
        int missing = communicator.size() - shrunk.size();
        IntSortedSet absent = absentOf(failedRanks(communicator).toIntArray(), communicator, shrunk);
        if (absent.size() == missing) {
            return absent;
        }
        int[] all = new int[communicator.size()];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = rank;
        }
        return absentOf(all, communicator, shrunk);
    }

    private IntSortedSet absentOf(int[] ranks, MpiComm communicator, MpiComm shrunk) throws MpiException {
        IntSortedSet absent = new IntAVLTreeSet();
        if (ranks.length == 0) {
            return absent;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment members = arena.allocate(ValueLayout.JAVA_LONG);
            check(ForeignCall.call(commGroup, communicator.handle(), members.address()));
            int[] translated = translated(members.get(ValueLayout.JAVA_LONG, 0), ranks, shrunk, arena);
            check(ForeignCall.call(groupFree, members.address()));
            for (int i = 0; i < ranks.length; i++) {
                // MPI_UNDEFINED.
                if (translated[i] < 0) {
                    absent.add(ranks[i]);
                }
            }
            return absent;
        }
    }

    private int sizeOf(long group, Arena arena) throws MpiException {
        MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
        check(ForeignCall.call(groupSize, group, number.address()));
        return number.get(ValueLayout.JAVA_INT, 0);
    }

    private int[] translated(long group, int[] ranks, MpiComm communicator, Arena arena) throws MpiException {
        MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
        MemorySegment theirs = arena.allocate(ValueLayout.JAVA_INT, ranks.length);
        MemorySegment members = arena.allocate(ValueLayout.JAVA_LONG);
        check(ForeignCall.call(commGroup, communicator.handle(), members.address()));
        check(ForeignCall.call(translateRanks, group, ranks.length, own.address(),
                members.get(ValueLayout.JAVA_LONG, 0), theirs.address()));
        check(ForeignCall.call(groupFree, members.address()));
        return theirs.toArray(ValueLayout.JAVA_INT);
    }

    /** Ends a process at once, as a crash would: SIGKILL can't be caught, and nothing is flushed or closed. */
    public void kill(long pid) {
        ForeignCall.call(kill, pid, SIGKILL);
    }
}

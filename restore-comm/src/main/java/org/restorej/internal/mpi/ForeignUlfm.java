package org.restorej.internal.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.restorej.comm.RankMap;
import org.restorej.internal.foreign.ForeignCall;

/**
 * The functions of ULFM in Open MPI, for real failures. The bindings lack them, so they are always called through
 * foreign functions.
 */
public final class ForeignUlfm implements Ulfm {
    private static final int SIGKILL = 9;
    /** Function of the C library, looked up in advance. */
    private static final MemorySegment KILL = Linker.nativeLinker().defaultLookup().findOrThrow("kill");

    private final MpiLibrary library;
    private final MemorySegment revoke;
    private final MemorySegment isRevoked;
    private final MemorySegment shrink;
    private final MemorySegment startAgreement;
    private final MemorySegment getFailed;
    private final MemorySegment commGroup;
    private final MemorySegment groupSize;
    private final MemorySegment groupFree;
    private final MemorySegment translateRanks;

    private ForeignUlfm(MpiLibrary library) {
        this.library = library;
        revoke = function("Comm_revoke");
        isRevoked = function("Comm_is_revoked");
        shrink = function("Comm_shrink");
        startAgreement = function("Comm_iagree");
        getFailed = function("Comm_get_failed");
        commGroup = function("Comm_group");
        groupSize = function("Group_size");
        groupFree = function("Group_free");
        translateRanks = function("Group_translate_ranks");
    }

    /**
     * The functions, or the reason why they can't be used.
     *
     * @param functions empty if failures can only be simulated
     * @param explanation completes the sentence "Open MPI ...:"
     */
    public record Availability(Optional<Ulfm> functions, String explanation) {}

    /** Looks the functions up in an initialized library. */
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
        return new Availability(Optional.of(new ForeignUlfm(library)), "processes may fail (ULFM)");
    }

    /** Open MPI 5 has the functions in every job; a variable of the library tells whether failures are detected. */
    private static boolean isEnabled(SymbolLookup symbols) {
        return symbols.find("ompi_ftmpi_enabled")
                .map(variable -> variable.reinterpret(1).get(ValueLayout.JAVA_BYTE, 0) != 0).orElse(true);
    }

    /** Looks a function up; the prefix is MPIX_ as long as it is not part of the standard. */
    private static Optional<MemorySegment> find(SymbolLookup symbols, String name) {
        return symbols.find("MPIX_" + name).or(() -> symbols.find("MPI_" + name));
    }

    private MemorySegment function(String name) {
        return find(library.symbols(), name).orElseThrow(() -> new IllegalStateException(
                "the MPI library has fault tolerance, but no MPIX_" + name + ": " + library.version()));
    }

    @Override
    public boolean survivesFailures() {
        return true;
    }

    /** {@inheritDoc} No failure is simulated. */
    @Override
    public void requireSelfAlive() {}

    @Override
    public int simulatedFailures() {
        return 0;
    }

    @Override
    public void revoke(MpiComm communicator, RankMap ranks, Throwable reason) throws MpiException {
        library.check(ForeignCall.call(revoke, communicator.handle()));
    }

    @Override
    public boolean isRevoked(MpiComm communicator) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
            library.check(ForeignCall.call(isRevoked, communicator.handle(), flag.address()));
            return flag.get(ValueLayout.JAVA_INT, 0) != 0;
        }
    }

    @Override
    public MpiComm shrink(MpiComm communicator, RankMap ranks) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fresh = arena.allocate(ValueLayout.JAVA_LONG);
            library.check(ForeignCall.call(shrink, communicator.handle(), fresh.address()));
            return library.communicator(fresh.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Override
    public void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException {
        communicator.startAgreement(startAgreement, agreement, flags);
    }

    @Override
    public IntSortedSet failedRanks(MpiComm communicator, RankMap itsRanks) throws MpiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment failed = arena.allocate(ValueLayout.JAVA_LONG);
            library.check(ForeignCall.call(getFailed, communicator.handle(), failed.address()));
            long group = failed.get(ValueLayout.JAVA_LONG, 0);
            int[] members = new int[sizeOf(group, arena)];
            for (int i = 0; i < members.length; i++) {
                members[i] = i;
            }
            int[] ranks = members.length == 0 ? members : translated(group, members, communicator, arena);
            library.check(ForeignCall.call(groupFree, failed.address()));
            return new IntAVLTreeSet(ranks);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>
     * Looks for the known failed ranks in the shrunk communicator: Open MPI searches a group for each rank that it
     * translates, so translating all survivors would take O(P^2). Only if that doesn't explain all missing ranks, all
     * ranks are translated.
     */
    @Override
    public IntSortedSet missingRanks(MpiComm communicator, RankMap ranks, MpiComm shrunk) throws MpiException {
        int missing = communicator.size() - shrunk.size();
        IntSortedSet absent = absentOf(failedRanks(communicator, ranks).toIntArray(), communicator, shrunk);
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
            library.check(ForeignCall.call(commGroup, communicator.handle(), members.address()));
            int[] translated = translated(members.get(ValueLayout.JAVA_LONG, 0), ranks, shrunk, arena);
            library.check(ForeignCall.call(groupFree, members.address()));
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
        library.check(ForeignCall.call(groupSize, group, number.address()));
        return number.get(ValueLayout.JAVA_INT, 0);
    }

    private int[] translated(long group, int[] ranks, MpiComm communicator, Arena arena) throws MpiException {
        MemorySegment own = arena.allocateFrom(ValueLayout.JAVA_INT, ranks);
        MemorySegment theirs = arena.allocate(ValueLayout.JAVA_INT, ranks.length);
        MemorySegment members = arena.allocate(ValueLayout.JAVA_LONG);
        library.check(ForeignCall.call(commGroup, communicator.handle(), members.address()));
        library.check(ForeignCall.call(translateRanks, group, ranks.length, own.address(),
                members.get(ValueLayout.JAVA_LONG, 0), theirs.address()));
        library.check(ForeignCall.call(groupFree, members.address()));
        return theirs.toArray(ValueLayout.JAVA_INT);
    }

    /** {@inheritDoc} Each process ends itself. */
    @Override
    public void fail(MpiComm communicator, RankMap ranks, IntSet failing) {
        if (failing.contains(communicator.rank())) {
            killThisProcess();
            while (true) {
                LockSupport.park(this);
            }
        }
    }

    /** Ends this process at once, like a crash: SIGKILL can't be caught, and nothing is flushed or closed. */
    public static void killThisProcess() {
        ForeignCall.call(KILL, ProcessHandle.current().pid(), SIGKILL);
    }
}

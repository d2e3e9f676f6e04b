package org.restorej.internal.memory;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Opens all arenas of the library, and counts their bytes. PEs that are threads lose their memory at the end of their
 * run, as processes do, whenever they have failed.
 *
 * <p>
 * An instance is the memory of such a run: the shared arenas that its threads open, and those of threads that they
 * start, including threads of a pool that start in the run. Other arenas belong to the process. Thread-safe.
 */
public final class NativeMemory {
    private static final InheritableThreadLocal<@Nullable NativeMemory> OF_THIS_THREAD = new InheritableThreadLocal<>();

    /** For each thread, since no other thread can close them. */
    private static final ThreadLocal<List<Retired>> RETIRED = ThreadLocal.withInitial(ArrayList::new);

    /**
     * An arena that is kept after a failure.
     *
     * @param originalRanks of the PEs that exchanged its messages
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Retired(int[] originalRanks, Arena arena) {}

    /** Concurrent: thousands of threads may open and close at once. */
    private final Set<CountedArena> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;
    /** Number of bytes that may still be deferred to the end. */
    private final AtomicLong deferrableBytes;

    /** Creates the memory of a run that defers nothing. */
    public NativeMemory() {
        this(0);
    }

    /**
     * Creates the memory of a run.
     *
     * @param deferrableBytes maximum number of closed bytes that are freed only at the end: freeing is a handshake of
     *        all threads of the JVM, for which many threads would continually wait for each other
     */
    public NativeMemory(long deferrableBytes) {
        this.deferrableBytes = new AtomicLong(deferrableBytes);
    }

    /**
     * Bytes in open arenas of the library, of all PEs of this process. Without memory that a garbage collector frees,
     * and that of other libraries and MPI.
     */
    public static long openBytes() {
        return CountedArena.openBytes();
    }

    /** Opens an arena that any thread may close. */
    public static Arena openShared() {
        NativeMemory owner = OF_THIS_THREAD.get();
        return owner == null ? new CountedArena(Arena.ofShared(), null) : owner.opened();
    }

    /** Opens an arena for this thread only, which must close it before it ends. */
    public static Arena openConfined() {
        return new CountedArena(Arena.ofConfined(), null);
    }

    /**
     * Keeps a confined arena of this thread, with the memory of messages that a failure has ended, until
     * {@link #freeRetired}.
     *
     * @param originalRanks of the PEs of the communicator
     */
    public static void retire(int[] originalRanks, Arena confined) {
        RETIRED.get().add(new Retired(originalRanks.clone(), confined));
    }

    /**
     * Frees arenas that this thread has retired. Called after it has shrunk a communicator, when no message of a failed
     * process of that is in flight any more.
     *
     * @param shrunk whether an original rank was in that communicator; arenas with messages of other ranks are kept
     */
    public static void freeRetired(IntPredicate shrunk) {
        RETIRED.get().removeIf(retired -> {
            boolean over = IntStream.of(retired.originalRanks()).allMatch(shrunk);
            if (over) {
                retired.arena().close();
            }
            return over;
        });
    }

    /** Runs a program in the calling thread; the arenas that it opens belong to this memory. */
    public void with(Runnable program) {
        NativeMemory before = OF_THIS_THREAD.get();
        OF_THIS_THREAD.set(this);
        try {
            program.run();
        } finally {
            freeRetired(_ -> true);
            RETIRED.remove();
            OF_THIS_THREAD.set(before);
        }
    }

    /**
     * Frees all open arenas; no arena can be opened afterwards.
     *
     * @return whether all were freed. Otherwise a thread that the run has started is accessing some; call again, or
     *         that thread frees them on close
     */
    public boolean end() {
        ended = true;
        for (CountedArena arena : List.copyOf(open)) {
            // A concurrent close then finds that it isn't here.
            if (open.remove(arena) && !arena.isFreedNow()) {
                open.add(arena);
            }
        }
        return open.isEmpty();
    }

    private Arena opened() {
        CountedArena arena = new CountedArena(Arena.ofShared(), this);
        open.add(arena);
        // The end may have come before this arena was in the set.
        if (ended) {
            arena.close();
            throw new IllegalStateException(
                    "the run of the local cluster that this thread belongs to has ended: thread="
                            + Thread.currentThread().getName());
        }
        return arena;
    }

    /** Whether a closed arena will be freed by the end. */
    boolean defers(CountedArena arena, long bytes) {
        return !ended && open.contains(arena) && deferrableBytes.get() >= bytes
                && deferrableBytes.addAndGet(-bytes) >= 0;
    }

    /** Adds an arena again that could not be closed. */
    void keep(CountedArena arena) {
        open.add(arena);
    }

    /** Removes an arena that is about to be closed; returns whether it must still be freed. */
    boolean forget(CountedArena arena) {
        return open.remove(arena) || !ended;
    }
}

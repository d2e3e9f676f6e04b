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
 * What the library has off the heap, in one place: its arenas are opened here, so that their bytes are counted, and so
 * that PEs which are threads lose their memory with their run, as processes do, whatever instant they failed at.
 *
 * <p>
 * An instance is the memory of such a run. It has the shared arenas that its threads open, and those of threads that
 * they start; also of threads of a pool that begin in the run. What is opened elsewhere belongs to the process. Any
 * thread.
 */
public final class NativeMemory {
    private static final InheritableThreadLocal<@Nullable NativeMemory> OF_THIS_THREAD = new InheritableThreadLocal<>();

    /** Of each thread, since no other one can close them. */
    private static final ThreadLocal<List<Retired>> RETIRED = ThreadLocal.withInitial(ArrayList::new);

    /**
     * An arena that a failure has left.
     *
     * @param originalRanks of the PEs among whom its messages were
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Retired(int[] originalRanks, Arena arena) {}

    /** Without a lock: thousands of threads may open and close at once. */
    private final Set<CountedArena> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;
    /** How many bytes more may be left to the end. */
    private final AtomicLong deferrableBytes;

    /** Of a run that has none yet. */
    public NativeMemory() {
        this(0);
    }

    /**
     * Of a run that has none yet.
     *
     * @param deferrableBytes as much of what is closed is freed only at the end: freeing is a handshake of all threads
     *        of the JVM, for which a crowd of them would wait for each other all the time
     */
    public NativeMemory(long deferrableBytes) {
        this.deferrableBytes = new AtomicLong(deferrableBytes);
    }

    /**
     * Bytes that the library has in open arenas, of all PEs of this process. Without what a garbage collector frees,
     * and what other libraries and the MPI have.
     */
    public static long openBytes() {
        return CountedArena.openBytes();
    }

    /** An arena that any thread may close. */
    public static Arena openShared() {
        NativeMemory owner = OF_THIS_THREAD.get();
        return owner == null ? new CountedArena(Arena.ofShared(), null) : owner.opened();
    }

    /** An arena for this thread alone, which closes it before it ends. */
    public static Arena openConfined() {
        return new CountedArena(Arena.ofConfined(), null);
    }

    /**
     * Keeps an arena of this thread alone, with the memory of messages that a failure has ended, until
     * {@link #freeRetired}.
     *
     * @param originalRanks of the PEs of the communicator
     */
    public static void retire(int[] originalRanks, Arena confined) {
        RETIRED.get().add(new Retired(originalRanks.clone(), confined));
    }

    /**
     * Frees what this thread has retired: called when it has shrunk a communicator, so that no message of a failed
     * process of that is under way any more.
     *
     * @param shrunk whether an original rank was in that communicator: what has messages among others, too, is kept
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

    /** Runs a program in the calling thread; what it opens belongs to this memory. */
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
     * Frees what has been left open; nothing can be opened afterwards.
     *
     * @return whether that was all: a thread that the run has left behind may be at work on some of it. Then to be
     *        called again, or that thread frees it when it closes it
     */
    public boolean end() {
        ended = true;
        for (CountedArena arena : List.copyOf(open)) {
            // Who closes it at the same time finds that it isn't here.
            if (open.remove(arena) && !arena.isFreedNow()) {
                open.add(arena);
            }
        }
        return open.isEmpty();
    }

    private Arena opened() {
        CountedArena arena = new CountedArena(Arena.ofShared(), this);
        open.add(arena);
        // The end closes what it finds, and may have come before this one could be found.
        if (ended) {
            arena.close();
            throw new IllegalStateException(
                    "the run of the local cluster that this thread belongs to has ended: thread="
                            + Thread.currentThread().getName());
        }
        return arena;
    }

    /** An arena is closed; says whether the end will free it. */
    boolean defers(CountedArena arena, long bytes) {
        return !ended && open.contains(arena) && deferrableBytes.get() >= bytes
                && deferrableBytes.addAndGet(-bytes) >= 0;
    }

    /** An arena could not be closed after all. */
    void keep(CountedArena arena) {
        open.add(arena);
    }

    /** An arena is about to be closed; says whether that is still to be done. */
    boolean forget(CountedArena arena) {
        return open.remove(arena) || !ended;
    }
}

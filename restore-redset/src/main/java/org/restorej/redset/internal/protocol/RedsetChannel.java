package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.coding.PieceMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.settlement.Outcome;
import org.restorej.comm.mpi.Mpi;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.message.Completely;
import org.restorej.redset.RedsetException;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.TreeFields;

/**
 * The communicator of one redset, the requests that are pending on it, and the steps in which its ranks agree. One
 * thread.
 *
 * <p>
 * Operations consist of steps. In a step every rank does its share; then all agree on whether all could. An
 * {@link IOException} on one rank is a {@link RedsetException} on all, and a failed process the same exception on all
 * survivors. An action that communicates throws an {@link IOException} only after its last message
 * ({@link PostponedFailure}). What can fail on one rank belongs into a step, or the others would wait for that rank.
 * Each step costs an agreement, so there are as few as possible.
 */
public final class RedsetChannel implements PieceMessages, AutoCloseable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;
    /** Holds what most ranks have to tell; of thousands of ranks these are still a few megabytes. */
    private static final int USUAL_SLOT_BYTES = 512;
    /** Flag: this rank could read and write its files. */
    private static final int FILES_DONE = 1 << 1;
    /** Flag: what the application has passed to this rank is right. */
    private static final int ARGUMENTS_VALID = 1 << 2;
    private static final int ALL = FILES_DONE | ARGUMENTS_VALID;
    private static final String TEXTS = "TEXTS";
    /**
     * After so many questions in vain a rank waits for one that works on a piece, for 50 to 200 microseconds. To ask on
     * would keep its core from others, and make the JVM compile the code that asks.
     */
    private static final int MAX_IN_VAIN = 20;
    /** The shortest that Linux can do: its timers add 50 microseconds. */
    private static final long PAUSE_NANOS = 20_000;
    /** Longer messages of failures are cut for the other ranks. */
    private static final int MAX_MESSAGE_CHARS = 1000;

    private final Communicator communicator;
    private final Meeting meeting = new Meeting();
    private final Set<Request> pending = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Arena> retired = new ArrayList<>();
    private @Nullable Arena ownArena;
    private MemorySegment ownMemory = MemorySegment.NULL;
    private boolean cancelled;
    /** Ranks that are threads wait in their own way, of which a pause would know nothing. */
    private final boolean pauses = Mpi.wasLaunched();

    /** What a rank does in a step that has no result. */
    @FunctionalInterface
    public interface Action {
        /** Takes part in the step. */
        void run() throws IOException;
    }

    /** What a rank does in a step, with a result. */
    @FunctionalInterface
    public interface Computation<T> {
        /** Takes part in the step. */
        T run() throws IOException;
    }

    /**
     * How a rank's share of a step ended.
     *
     * @param result null when it failed
     * @param failure what went wrong; empty when nothing did
     */
    private record Attempt<T>(@Nullable T result, String failure) {}

    /**
     * A channel without pending requests.
     *
     * @param communicator just made; used by nothing else; closed with the channel
     */
    public RedsetChannel(Communicator communicator) {
        this.communicator = communicator;
        RetiredMemory.free(communicator.ranks());
    }

    /** Rank of this process. */
    public int rank() {
        return communicator.rank();
    }

    /** Number of ranks. */
    public int size() {
        return communicator.size();
    }

    /** Rank that this process had when the job started. */
    public int originalRank() {
        return communicator.originalRank().value();
    }

    /** Number of ranks that the job started with. */
    int originalSize() {
        return communicator.ranks().originalSize();
    }

    /**
     * Runs this rank's share of a step and settles it with the others. Called by all ranks.
     *
     * @param operation what it is called in messages
     * @throws RedsetException on all ranks, when the action of some threw an {@link IOException}; the others have done
     *         theirs
     */
    public void step(String operation, Action action) {
        settle(operation, false, withoutResult(action), false);
    }

    /**
     * As {@link #step}.
     *
     * @return this rank's result, after all ranks have done their share
     */
    public <T> T compute(String operation, Computation<T> computation) {
        return settle(operation, false, computation, false);
    }

    /**
     * As {@link #step}, for actions that don't communicate. Those may also find that what the application has passed is
     * wrong.
     *
     * @throws IllegalArgumentException on all ranks, when the action of some threw one
     */
    public void localStep(String operation, Action action) {
        settle(operation, false, withoutResult(action), true);
    }

    /**
     * As {@link #step}, but done only when no process has failed: what a failed one did of its share, nobody alive may
     * know, and its disk may come back.
     *
     * @throws org.restorej.comm.ProcessFailedException on all survivors, also when they have done their share
     */
    void stepOfEverybody(String operation, Action action) {
        settle(operation, true, withoutResult(action), false);
    }

    /** As {@link #localStep}, with a result. */
    <T> T computeLocally(String operation, Computation<T> computation) {
        return settle(operation, false, computation, true);
    }

    private static Computation<Boolean> withoutResult(Action action) {
        return () -> {
            action.run();
            return true;
        };
    }

    private <T> T settle(String operation, boolean needsEverybody, Computation<T> computation, boolean local) {
        Outcome<Attempt<T>> outcome = meeting.at(communicator)
                .begin(this::cancelPending, needsEverybody, operation,
                        Task.inOneStep(() -> attempt(computation, local)))
                .await();
        if (outcome.flags() == ALL) {
            return Objects.requireNonNull(outcome.result().result(), "a step that all ranks have done has a result");
        }
        RedsetException failure = new RedsetException(operation, failures(operation, outcome.result().failure()));
        throw outcome.has(ARGUMENTS_VALID) ? failure : new IllegalArgumentException(failure.getMessage());
    }

    private static <T> Outcome<Attempt<T>> attempt(Computation<T> computation, boolean local) {
        try {
            return new Outcome<>(ALL, new Attempt<>(computation.run(), ""));
        } catch (PostponedFailure.MistakeException mistake) {
            return new Outcome<>(FILES_DONE, new Attempt<>(null, shortened(String.valueOf(mistake.getMessage()))));
        } catch (IOException failed) {
            return new Outcome<>(ARGUMENTS_VALID, new Attempt<>(null, describe(failed)));
        } catch (UncheckedIOException failed) {
            return new Outcome<>(ARGUMENTS_VALID,
                    new Attempt<>(null, describe(Objects.requireNonNull(failed.getCause()))));
        } catch (IllegalArgumentException mistake) {
            if (!local) {
                throw mistake;
            }
            return new Outcome<>(FILES_DONE, new Attempt<>(null, shortened(String.valueOf(mistake.getMessage()))));
        }
    }

    /** Messages of file system exceptions are often nothing but a path. */
    private static String describe(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        String text = failure.getClass() == IOException.class
                ? message
                : failure.getClass().getSimpleName() + ": " + message;
        return shortened(text);
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MAX_MESSAGE_CHARS));
    }

    private SortedMap<Integer, String> failures(String operation, String own) {
        return meeting.at(communicator).settle(this::cancelPending, operation, () -> {
            SortedMap<Integer, String> failures = new TreeMap<>();
            List<List<String>> all = allGather(List.of(own));
            for (int rank = 0; rank < all.size(); rank++) {
                if (!all.get(rank).getFirst().isEmpty()) {
                    failures.put(rank, all.get(rank).getFirst());
                }
            }
            return Outcome.of(failures);
        }).result();
    }

    /**
     * The bytes of every rank, by rank; of different lengths, and small, as each gets all. Called by all ranks in a
     * step.
     */
    public List<byte[]> allGather(byte[] mine) {
        // Nearly always enough, which saves asking for the greatest length first.
        MemorySegment all = allGather(mine, USUAL_SLOT_BYTES);
        int longest = 0;
        for (int rank = 0; rank < size(); rank++) {
            longest = Math.max(longest, all.get(LENGTH, (long) rank * USUAL_SLOT_BYTES));
        }
        int slot = Math.max(USUAL_SLOT_BYTES, Math.addExact(Integer.BYTES, longest));
        if (slot > USUAL_SLOT_BYTES) {
            all = allGather(mine, slot);
        }
        List<byte[]> gathered = new ArrayList<>();
        for (long start = 0; start < all.byteSize(); start += slot) {
            gathered.add(all.asSlice(start + Integer.BYTES, all.get(LENGTH, start)).toArray(BYTE));
        }
        return gathered;
    }

    /** The trees of every rank, as {@link #allGather(byte[])}; the empty tree of one that has nothing to tell. */
    public List<KvTree> allGather(KvTree mine) {
        return KvTreeBlock.decodeMessages(allGather(KvTreeBlock.encodeMessage(mine)));
    }

    /** The texts of every rank, as {@link #allGather(byte[])}. */
    public List<List<String>> allGather(Collection<String> mine) {
        List<List<String>> all = new ArrayList<>();
        for (KvTree told : allGather(KvTree.builder().putTexts(TEXTS, mine).build())) {
            try {
                all.add(new TreeFields("message", told).texts(TEXTS));
            } catch (FormatException impossible) {
                throw new IllegalStateException("a message must arrive as it was sent", impossible);
            }
        }
        return all;
    }

    /** The lengths of all, each followed by as much as its slot holds. */
    private MemorySegment allGather(byte[] mine, int slot) {
        MemorySegment own = MemorySegment.ofArray(new byte[slot]);
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, BYTE, Integer.BYTES, Math.min(mine.length, slot - Integer.BYTES));
        MemorySegment all = MemorySegment.ofArray(new byte[Math.multiplyExact(slot, size())]);
        communicator.allGather(own, all);
        return all;
    }

    /**
     * The bytes of one rank. Called by all ranks in a step.
     *
     * @param mine what this rank has, of which only that of {@code root} counts
     */
    public byte[] broadcast(byte[] mine, int root) {
        boolean own = rank() == root;
        int length = (int) greatest(own ? mine.length : 0);
        byte[] bytes = own ? mine : new byte[length];
        communicator.broadcast(bytes, root);
        return bytes;
    }

    /** The least of the values of all ranks. Called by all ranks in a step. */
    public long least(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.MIN);
        return values[0];
    }

    /** The sum of the values of all ranks. Called by all ranks in a step. */
    public long sum(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.SUM);
        return values[0];
    }

    /** The greatest of the values of all ranks. Called by all ranks in a step. */
    public long greatest(long value) {
        return -least(-value);
    }

    /** Replaces each value by the least of all ranks. Called by all ranks in a step. */
    public void least(long[] values) {
        communicator.allReduce(values, Reduction.MIN);
    }

    @Override
    public Request send(MemorySegment bytes, int destination, int tag) {
        return begun(communicator.iSend(bytes, destination, tag));
    }

    @Override
    public Request receive(MemorySegment buffer, int source, int tag) {
        return begun(communicator.iReceive(buffer, source, tag));
    }

    private Request begun(Request request) {
        pending.add(request);
        return request;
    }

    @Override
    public void await(Request request) {
        for (int inVain = 0; !request.test(); inVain++) {
            if (inVain >= MAX_IN_VAIN && pauses) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        pending.remove(request);
    }

    private void cancelPending() {
        cancelled = true;
        List<Request> all = List.copyOf(pending);
        pending.clear();
        Completely.forEach(all, Request::cancel);
    }

    /**
     * The channel's own memory for messages, the same at every call: new memory costs more than the work done in it.
     * Its content is undefined. Used in one step at a time, and by no message that outlives the step.
     */
    @Override
    public MemorySegment memory(long bytes) {
        if (ownMemory.byteSize() < bytes) {
            if (ownArena != null) {
                retire(ownArena);
            }
            Arena arena = NativeMemory.openShared();
            ownArena = arena;
            ownMemory = Communicator.allocateOnHugePages(arena, bytes);
        }
        return ownMemory.asSlice(0, bytes);
    }

    /**
     * Frees memory of messages: at once, or, after a failure, when the survivors have shrunk. Until then MPI may still
     * use the memory of a cancelled request.
     */
    @Override
    public void retire(Arena memory) {
        if (cancelled || !pending.isEmpty()) {
            retired.add(memory);
        } else {
            memory.close();
        }
    }

    /** Frees the communicator. Memory that MPI may still use is freed when another channel is made. */
    @Override
    public void close() {
        if (ownArena != null) {
            retire(ownArena);
            ownArena = null;
            ownMemory = MemorySegment.NULL;
        }
        cancelPending();
        communicator.close();
        if (!retired.isEmpty()) {
            RetiredMemory.add(communicator.ranks(), retired);
        }
        retired.clear();
    }
}

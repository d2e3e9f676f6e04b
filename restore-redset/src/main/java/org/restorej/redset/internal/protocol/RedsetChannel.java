package org.restorej.redset.internal.protocol;

import org.restorej.redset.internal.coding.PieceMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.settlement.Outcome;
import org.restorej.comm.mpi.Mpi;
import org.restorej.internal.message.Completely;
import org.restorej.redset.RedsetException;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.TreeFields;

/**
 * The communicator of one redset, its pending requests, and the steps in which its ranks agree. Not thread-safe.
 *
 * <p>
 * Operations consist of steps. In a step every rank does its share; then all ranks agree on whether all shares are
 * done. An {@link IOException} on one rank becomes a {@link RedsetException} on all. A failed process causes the same
 * exception on all survivors. An action that communicates throws an {@link IOException} only after its last message
 * ({@link PostponedFailure}). Code that can fail on one rank must be in a step; otherwise the other ranks would wait
 * for that rank. Each step costs an agreement, so there are as few as possible.
 */
public final class RedsetChannel implements PieceMessages, AutoCloseable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;
    /** Enough for most messages of a rank; for thousands of ranks still a few megabytes. */
    private static final int USUAL_SLOT_BYTES = 512;
    /** Flag: this rank could read and write its files. */
    private static final int FILES_DONE = 1 << 1;
    /** Flag: the application's arguments on this rank are valid. */
    private static final int ARGUMENTS_VALID = 1 << 2;
    private static final int ALL = FILES_DONE | ARGUMENTS_VALID;
    private static final String TEXTS = "TEXTS";
    /**
     * After this number of tests a rank sleeps for 50 to 200 microseconds while it waits for a rank that works on a
     * piece. More tests would occupy its core, and make the JVM compile the code that tests.
     */
    private static final int MAX_IN_VAIN = 20;
    /** The minimum of Linux, whose timers add 50 microseconds. */
    private static final long PAUSE_NANOS = 20_000;
    /** Longer failure messages are truncated for the other ranks. */
    private static final int MAX_MESSAGE_CHARS = 1000;

    private final Communicator communicator;
    private final OperationGuard guard;
    /** Few at a time, mostly completed in the order of their start. */
    private final List<Request> pending = new ArrayList<>();
    private final ChannelMemory memory;
    private boolean cancelled;
    /** Ranks that are threads have their own way to wait, which a pause would delay. */
    private final boolean pauses = Mpi.wasLaunched();

    /** A rank's share of a step, without a result. */
    @FunctionalInterface
    public interface Action {
        /** Performs the share. */
        void run() throws IOException;
    }

    /** A rank's share of a step, with a result. */
    @FunctionalInterface
    public interface Computation<T> {
        /** Performs the share. */
        T run() throws IOException;
    }

    /**
     * The outcome of a rank's share of a step.
     *
     * @param result null if it failed
     * @param failure description of the failure; empty if there was none
     */
    private record Attempt<T>(@Nullable T result, String failure) {}

    /**
     * Creates a channel without pending requests.
     *
     * @param communicator a new communicator, used only by this channel, and closed with it
     */
    public RedsetChannel(Communicator communicator) {
        this.communicator = communicator;
        guard = new OperationGuard(communicator, this::cancelPending);
        memory = new ChannelMemory(communicator.ranks(), () -> cancelled || !pending.isEmpty());
    }

    /** Rank of this process. */
    public int rank() {
        return communicator.rank();
    }

    /** Number of ranks. */
    public int size() {
        return communicator.size();
    }

    /** Whether the ranks can no longer work together: this rank knows of a revocation or of a failed process. */
    public boolean isOver() {
        return communicator.isRevoked() || !communicator.failedRanks().isEmpty();
    }

    /** Number of ranks that the job started with. */
    int originalSize() {
        return communicator.ranks().originalSize();
    }

    /**
     * Runs an operation of several steps. If this rank throws between two of them, the other ranks throw in the next
     * step and in all later operations on this channel. Collective; an operation may contain others.
     */
    public <T extends @Nullable Object> T operation(Supplier<T> steps) {
        return guard.operation(steps);
    }

    /** As {@link #operation(Supplier)}, without a result. */
    public void operation(Runnable steps) {
        operation(() -> {
            steps.run();
            return true;
        });
    }

    /**
     * Performs this rank's share of a step and settles it with the others. Collective.
     *
     * @param operation name for messages
     * @throws RedsetException on all ranks if the action of one threw an {@link IOException}; the others have done
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
     * As {@link #step}, for actions without communication. They may also find an invalid argument of the application.
     *
     * @throws IllegalArgumentException on all ranks if the action of one threw one
     */
    public void localStep(String operation, Action action) {
        settle(operation, false, withoutResult(action), true);
    }

    /**
     * As {@link #step}, but fails if a process has failed: survivors may not know how much of its share a failed
     * process did, and its disk may return.
     *
     * @throws org.restorej.comm.ProcessFailedException on all survivors, also if they have done their share
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
        Outcome<Attempt<T>> outcome = guard.settle(operation, needsEverybody, () -> attempt(computation, local));
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

    /** Describes a failure. Messages of file system exceptions are often only a path. */
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
        return guard.settle(operation, false, () -> {
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
     * Gathers the bytes of every rank, by rank. Lengths may differ, and should be small, since each rank gets all.
     * Collective, inside a step.
     */
    public List<byte[]> allGather(byte[] mine) {
        // Nearly always enough, which saves an exchange of the maximum length.
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

    /** Gathers the trees of every rank, as {@link #allGather(byte[])}; the empty tree for a rank without a message. */
    public List<KvTree> allGather(KvTree mine) {
        return KvTreeBlock.decodeMessages(allGather(KvTreeBlock.encodeMessage(mine)));
    }

    /** Gathers the texts of every rank, as {@link #allGather(byte[])}. */
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

    /** Gathers the lengths of all messages, each followed by as many bytes as its slot holds. */
    private MemorySegment allGather(byte[] mine, int slot) {
        MemorySegment own = MemorySegment.ofArray(new byte[slot]);
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, BYTE, Integer.BYTES, Math.min(mine.length, slot - Integer.BYTES));
        MemorySegment all = MemorySegment.ofArray(new byte[Math.multiplyExact(slot, size())]);
        communicator.allGather(own, all);
        return all;
    }

    /**
     * Broadcasts bytes. Collective, inside a step.
     *
     * @param mine this rank's bytes; only those of {@code root} count
     */
    public byte[] broadcast(byte[] mine, int root) {
        boolean own = rank() == root;
        int length = (int) max(own ? mine.length : 0);
        byte[] bytes = own ? mine : new byte[length];
        communicator.broadcast(bytes, root);
        return bytes;
    }

    /** The minimum of the values of all ranks. Collective, inside a step. */
    public long min(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.MIN);
        return values[0];
    }

    /** The sum of the values of all ranks. Collective, inside a step. */
    public long sum(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.SUM);
        return values[0];
    }

    /** The maximum of the values of all ranks. Collective, inside a step. */
    public long max(long value) {
        return -min(-value);
    }

    /** Replaces each value by its minimum over all ranks. Collective, inside a step. */
    public void min(long[] values) {
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

    @Override
    public MemorySegment memory(long bytes) {
        return memory.ofBytes(bytes);
    }

    /** Frees the communicator. Memory that MPI may still use is freed when another channel is created. */
    @Override
    public void close() {
        memory.retire();
        cancelPending();
        guard.close();
        communicator.close();
        memory.close();
    }
}

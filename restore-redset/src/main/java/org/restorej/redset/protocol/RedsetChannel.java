package org.restorej.redset.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.Settlement;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.memory.HugePages;

/**
 * The communicator of one redset, what is under way on it, and how its ranks come to one opinion. One thread.
 *
 * <p>
 * Operations are made of steps. In a step every rank does its part, and then all agree on whether everybody could: an
 * {@link IOException} of one is a {@link RedsetException} on all, and a failed process the same exception on all
 * survivors. A part that communicates throws an {@link IOException} only after its last message ({@link
 * PostponedFailure}). What can fail on one rank is in a step, or the others would wait for it. A step costs an
 * agreement, so what can be in one step is.
 */
public final class RedsetChannel implements AutoCloseable {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;
    /** Holds what most ranks have to tell; of thousands of ranks these are still a few megabytes. */
    private static final int USUAL_SLOT_BYTES = 512;
    /** Flag of a rank that has found nothing wrong with what the application has passed. */
    private static final int ARGUMENTS_VALID = 1 << 1;
    /** Flag of a rank whose files could be read and written. */
    private static final int FILES_DONE = 1 << 2;
    private static final int ALL_WELL = ARGUMENTS_VALID | FILES_DONE;
    /** A complaint longer than this helps nobody. */
    private static final int MOST_COMPLAINT_CHARS = 1000;

    private final Communicator communicator;
    private final Set<Request> pending = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Arena> keptMemory = new ArrayList<>();
    private @Nullable Arena ownArena;
    private MemorySegment ownMemory = MemorySegment.NULL;
    private boolean gaveUp;

    /** What a rank does in a step. */
    @FunctionalInterface
    public interface Part {
        /** Does it. */
        void run() throws IOException;
    }

    /**
     * A channel.
     *
     * @param communicator just made; used by nothing else; closed with the channel
     */
    public RedsetChannel(Communicator communicator) {
        this.communicator = communicator;
        AbandonedMemory.free();
    }

    /** Rank of this process. */
    public int rank() {
        return communicator.rank();
    }

    /** Number of ranks. */
    public int size() {
        return communicator.size();
    }

    /**
     * Runs this rank's part of a step and settles it with the others. Called by all ranks.
     *
     * @param operation what it is called in messages
     * @throws RedsetException when some rank's part threw an {@link IOException}; all others have done theirs
     */
    public void step(String operation, Part part) {
        settle(operation, part, false);
    }

    /**
     * As {@link #step}, for parts that talk to nobody: those may also find that what the application has passed is
     * wrong.
     *
     * @throws IllegalArgumentException on all ranks, when some rank's part threw one
     */
    public void localStep(String operation, Part part) {
        settle(operation, part, true);
    }

    private void settle(String operation, Part part, boolean local) {
        Settlement.Outcome<String> outcome = Settlement.settle(communicator, this::giveUp, operation,
                () -> outcome(part, local));
        if (outcome.flags() != ALL_WELL) {
            SortedMap<Integer, String> complaints = complaints(operation, outcome.result());
            if (!outcome.has(ARGUMENTS_VALID)) {
                throw new IllegalArgumentException(RedsetException.describe(operation, complaints));
            }
            throw new RedsetException(operation, complaints);
        }
    }

    /** Runs a part; the result is what this rank complains of, or empty. */
    private static Settlement.Outcome<String> outcome(Part part, boolean local) {
        try {
            part.run();
            return new Settlement.Outcome<>(ALL_WELL, "");
        } catch (PostponedFailure.MistakeException mistake) {
            return new Settlement.Outcome<>(FILES_DONE, shortened(String.valueOf(mistake.getMessage())));
        } catch (IOException failure) {
            return new Settlement.Outcome<>(ARGUMENTS_VALID, describe(failure));
        } catch (UncheckedIOException failure) {
            return new Settlement.Outcome<>(ARGUMENTS_VALID, describe(Objects.requireNonNull(failure.getCause())));
        } catch (IllegalArgumentException mistake) {
            if (!local) {
                throw mistake;
            }
            return new Settlement.Outcome<>(FILES_DONE, shortened(String.valueOf(mistake.getMessage())));
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
        return text.substring(0, Math.min(text.length(), MOST_COMPLAINT_CHARS));
    }

    private SortedMap<Integer, String> complaints(String operation, String own) {
        return Settlement.settle(communicator, this::giveUp, operation, () -> {
            SortedMap<Integer, String> complaints = new TreeMap<>();
            List<byte[]> all = allGather(own.getBytes(StandardCharsets.UTF_8));
            for (int rank = 0; rank < all.size(); rank++) {
                if (all.get(rank).length > 0) {
                    complaints.put(rank, new String(all.get(rank), StandardCharsets.UTF_8));
                }
            }
            return Settlement.Outcome.of(complaints);
        }).result();
    }

    /** The bytes of every rank, by rank; of different lengths, and small, as each gets all. Called by all in a part. */
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

    /** The lengths of all, each followed by as much as its slot holds. */
    private MemorySegment allGather(byte[] mine, int slot) {
        MemorySegment own = MemorySegment.ofArray(new byte[slot]);
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, BYTE, Integer.BYTES, Math.min(mine.length, slot - Integer.BYTES));
        MemorySegment all = MemorySegment.ofArray(new byte[Math.multiplyExact(slot, size())]);
        communicator.allGather(own, all);
        return all;
    }

    /** The least of the values of all ranks. Called by all in a part. */
    public long least(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.MIN);
        return values[0];
    }

    /** Replaces each value by the least of all ranks. Called by all in a part. */
    public void least(long[] values) {
        communicator.allReduce(values, Reduction.MIN);
    }

    /** The sum of the values of all ranks. Called by all in a part. */
    public long sum(long value) {
        long[] values = {value};
        communicator.allReduce(values, Reduction.SUM);
        return values[0];
    }

    Request send(MemorySegment bytes, int destination, int tag) {
        return begun(communicator.send(bytes, destination, tag));
    }

    Request receive(MemorySegment buffer, int source, int tag) {
        return begun(communicator.receive(buffer, source, tag));
    }

    private Request begun(Request request) {
        pending.add(request);
        return request;
    }

    boolean test(Request request) {
        boolean done = request.test();
        if (done) {
            pending.remove(request);
        }
        return done;
    }

    void await(@Nullable Request request) {
        while (request != null && !test(request)) {
            Thread.onSpinWait();
        }
    }

    private void giveUp() {
        gaveUp = true;
        pending.forEach(Request::cancel);
        pending.clear();
    }

    /**
     * Memory for messages, the channel's own: the same at every call, since new memory costs more than what is done in
     * it. What it holds is of no meaning; used by one part at a time, which lets no message outlive it.
     */
    MemorySegment memory(long bytes) {
        if (ownMemory.byteSize() < bytes) {
            if (ownArena != null) {
                release(ownArena);
            }
            Arena arena = NativeMemory.openShared();
            ownArena = arena;
            ownMemory = HugePages.allocate(arena, bytes);
        }
        return ownMemory.asSlice(0, bytes);
    }

    /**
     * Frees memory that messages have come from or gone to: at once, or, after a failure, when the survivors have
     * shrunk. Until then an MPI that has ended a cancelled request early may still be at work on it.
     */
    void release(Arena memory) {
        if (gaveUp || !pending.isEmpty()) {
            keptMemory.add(memory);
        } else {
            memory.close();
        }
    }

    /** Lets go of the communicator. Memory that MPI may still be at work on is freed when another channel is made. */
    @Override
    public void close() {
        if (ownArena != null) {
            release(ownArena);
            ownArena = null;
            ownMemory = MemorySegment.NULL;
        }
        giveUp();
        communicator.close();
        AbandonedMemory.keep(keptMemory);
        keptMemory.clear();
    }
}

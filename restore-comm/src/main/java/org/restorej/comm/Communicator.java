package org.restorej.comm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.MappedMemory;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.message.ReservedTags;

/**
 * A group of PEs that exchange messages, after MPI's semantics: what the protocols of this project need, and what
 * makes applications short.
 *
 * <p>
 * Calls that return a {@link Request} begin with {@code i}, as MPI's non-blocking calls; all others block or are local.
 *
 * <p>
 * Ranks here are <em>current</em> ranks, {@code 0 .. size() - 1}; {@link #ranks} translates them. Messages between the
 * same two PEs with the same tag arrive in the order they were sent. Segments of non-blocking calls must be off-heap
 * and stay alive and, for sends, unchanged until their {@link Request} has completed. One thread of a PE uses its
 * communicators at a time.
 *
 * <p>
 * <b>Failures.</b> Every method may throw {@link ProcessFailedException} when a process it depends on has failed, and
 * {@link CommunicatorRevokedException} after {@link #revoke}: both are {@link CommunicationFailedException}s. Not every
 * PE sees the same: of one and the same barrier some may return and others throw. {@link #agree} is how the survivors
 * come to one opinion, and {@link #shrink} how they go on; these two work in spite of failures and revocation.
 *
 * <p>
 * <b>Wrong arguments.</b> A collective call that is refused on one PE has revoked the communicator when it throws there,
 * and so ends on all: the others get a {@link CommunicatorRevokedException}, as far as they need the PE that is missing.
 * Arguments are checked first, so those that are wrong on all PEs get all of them the same exception.
 *
 * <p>
 * <b>Arrays.</b> {@link #sendReceive(Object, int, Object, int, int) sendReceive}, {@link #broadcast}, {@link #gather},
 * {@link #allGather(Object) allGather} and {@link #allToAll} take arrays of {@code byte}, {@code int}, {@code long},
 * {@code float} and {@code double} of up to {@link #MAX_MESSAGE_BYTES} bytes, copy them off the heap and back, and have nothing under way and no
 * off-heap memory when they return or throw. When one throws, it has revoked the communicator, so that nobody waits for
 * this PE: also because of an argument that is wrong only here, and then the others get a
 * {@link CommunicatorRevokedException}. Only where all PEs see that types, roots or lengths of a broadcast differ, all throw
 * {@link IllegalArgumentException}, and the communicator stays as it is.
 */
public interface Communicator extends AutoCloseable {
    /** The longest message in bytes: 1 GiB, safely below the 2 GiB - 1 that MPI's counts can say. */
    int MAX_MESSAGE_BYTES = MessageArguments.MAX_MESSAGE_BYTES;

    /**
     * Tags are {@code 0 .. 32,759}. Up to 32,767, more than which MPI doesn't guarantee, are those of calls on arrays.
     */
    int MAX_TAG = ReservedTags.MAX_TAG;

    /** In place of a rank in {@code sendReceive}: nobody, as beyond the edge of a grid. */
    int NO_RANK = -1;

    /** The color of PEs that {@link #split} puts into no group. */
    int NO_COLOR = -1;

    /**
     * What is known of a message before it is received.
     *
     * @param source current rank of its sender
     * @param bytes its length
     */
    record Envelope(int source, int bytes) {}

    /**
     * The outcome of {@link #agree}, the same on every PE that gets one.
     *
     * @param flags bitwise and of the flags of all PEs that took part
     * @param processFailed whether a process of the communicator had failed by then
     */
    record Agreement(int flags, boolean processFailed) {}

    /** An agreement under way, of {@link #iAgree}. Can't be taken back: the others wait for it. */
    interface PendingAgreement extends Request {
        /**
         * Whether all PEs alive have agreed; also drives progress. Failures and revocations don't end an agreement, so that
         * this throws neither {@link ProcessFailedException} nor {@link CommunicatorRevokedException}.
         */
        @Override
        boolean test();

        /**
         * What they have agreed on, the same on every PE.
         *
         * @throws IllegalStateException before {@link #test} has answered true
         */
        Agreement agreement();

        /** Asks after it no more; the others get their answer all the same. */
        @Override
        void cancel();
    }

    /**
     * Memory on transparent huge pages, which most distributions of Linux give only to who asks for them. Between
     * processes of one node an MPI has the kernel copy from one's memory to the other's, and finding the pages is a
     * quarter of the price of that with small ones. For what an application submits often and where it pulls to often:
     * the first touch may take long, while the system looks for room, so the store doesn't use them itself. Any thread.
     *
     * <p>
     * Elsewhere, and where the library may not call native code ({@code --enable-native-access}), pages are small ones.
     *
     * @param arena frees it
     * @param bytes its length; pages are huge from 4 MiB on
     * @return zeros, which begin on a cache line at least, and take up room when they are first written
     * @throws OutOfMemoryError when it is not to be had
     * @throws IllegalStateException when the arena is closed
     */
    static MemorySegment allocateOnHugePages(Arena arena, long bytes) {
        return MappedMemory.allocateHuge(arena, bytes);
    }

    /** Current rank of this PE. */
    int rank();

    /** Number of PEs. */
    int size();

    /** Which original rank each current rank has. */
    RankMap ranks();

    /** Original rank of this PE. */
    default OriginalRank originalRank() {
        return OriginalRank.of(ranks().originalRankOf(rank()));
    }

    /**
     * Starts to send, as MPI_Isend; completes when the segment can be reused.
     *
     * @param message at most {@link #MAX_MESSAGE_BYTES} bytes, off-heap
     * @param destination current rank of the receiver
     * @param tag at most {@link #MAX_TAG}
     */
    @CheckReturnValue
    Request iSend(MemorySegment message, int destination, int tag);

    /** As {@link #iSend}, but completes only when the receiver has begun to receive the message. */
    @CheckReturnValue
    Request iSsend(MemorySegment message, int destination, int tag);

    /**
     * Starts to receive.
     *
     * @param buffer at least as long as the message, off-heap
     * @param source current rank of the sender
     * @param tag tag of the message
     */
    @CheckReturnValue
    Request iReceive(MemorySegment buffer, int source, int tag);

    /** As {@link #awaitAll(Collection)}. */
    default void awaitAll(Request... requests) {
        awaitAll(Arrays.asList(requests));
    }

    /**
     * Waits until all requests have completed, and lets others have the processor meanwhile. When this returns or
     * throws, their buffers are the application's again: they may be used and freed.
     *
     * <p>
     * When one of them fails, this revokes the communicator, cancels the others and throws. So a failure ends every
     * such wait, also those for PEs that are alive and have given up because of it: whoever notices it wakes everybody.
     * The same where a PE uses other ways to wait and calls {@link #revoke} after a failure, as {@code CheckpointLoop}
     * does. When already the start of a message throws, those started before are pending: revoke, and cancel them.
     *
     * @param requests of this communicator
     * @throws CommunicationFailedException when a process that one of them depends on has failed, or the communicator
     *         is revoked
     */
    void awaitAll(Collection<? extends Request> requests);

    /**
     * Sends an array to one PE while it receives one from another; blocks. Matches {@link #iSend} and {@link #iReceive}
     * of as many bytes on the other side. A failure that only others notice ends it too, see
     * {@link #awaitAll(Collection)}.
     *
     * @param sent array of a primitive type, see above
     * @param destination current rank of the receiver, may be this PE; {@link #NO_RANK} to send nothing
     * @param received array of the same type, as long as what comes
     * @param source current rank of the sender; {@link #NO_RANK} to receive nothing and leave the array as it is
     * @param tag at most {@link #MAX_TAG}
     * @throws IllegalArgumentException naming the argument, before anything is sent; revokes, since somebody may wait
     *         for the message
     */
    @Collective
    <A> void sendReceive(A sent, int destination, A received, int source, int tag);

    /**
     * As {@link #sendReceive(Object, int, Object, int, int)}, of segments on the heap, such as a part of an array, or
     * off it, where nothing is copied. Segments off the heap must not overlap.
     *
     * @param received as long as what comes; up to {@link #MAX_MESSAGE_BYTES} bytes it may be longer, and keeps its
     *        rest
     */
    @Collective
    void sendReceive(MemorySegment sent, int destination, MemorySegment received, int source, int tag);

    /** Sends an array, as {@link #sendReceive(Object, int, Object, int, int)} that receives nothing; blocks. */
    @Collective
    default <A> void send(A sent, int destination, int tag) {
        sendReceive(sent, destination, sent, NO_RANK, tag);
    }

    /** As {@link #send(Object, int, int)}, of a segment on the heap or off it. */
    @Collective
    default void send(MemorySegment sent, int destination, int tag) {
        sendReceive(sent, destination, sent, NO_RANK, tag);
    }

    /** Receives an array, as {@link #sendReceive(Object, int, Object, int, int)} that sends nothing; blocks. */
    @Collective
    default <A> void receive(A received, int source, int tag) {
        sendReceive(received, NO_RANK, received, source, tag);
    }

    /** As {@link #receive(Object, int, int)}, into a segment on the heap or off it. */
    @Collective
    default void receive(MemorySegment received, int source, int tag) {
        sendReceive(received, NO_RANK, received, source, tag);
    }

    /**
     * The next message with this tag that waits to be received, from any PE, or null when there is none now.
     *
     * @throws ProcessFailedException when some process of the communicator is known to have failed, since that may be
     *         the one whose message is awaited
     */
    @Nullable
    Envelope iProbe(int tag);

    /** Enters a barrier; completes when all PEs have entered it. Called by all PEs in the same order. */
    @Collective
    @CheckReturnValue
    Request iBarrier();

    /** As {@link #iBarrier}, and waits until all PEs have entered it. */
    @Collective
    default void barrier() {
        iBarrier().await();
    }

    /**
     * Gathers the same number of bytes from every PE. Called by all PEs; returns when all have called it, also where
     * they gather nothing.
     *
     * @param mine this PE's bytes
     * @param all {@code size() * mine.byteSize()} bytes, at most {@link #MAX_MESSAGE_BYTES}, filled in order of current
     *        ranks
     */
    @Collective
    void allGather(MemorySegment mine, MemorySegment all);

    /**
     * Begins to combine the arrays of all PEs, element by element, in place. Called by all PEs in the same order, with
     * equal lengths.
     *
     * @param values the operation's until it has completed
     */
    @Collective
    @CheckReturnValue
    Request iAllReduce(long[] values, Reduction reduction);

    /** As {@link #iAllReduce(long[], Reduction)}, with the results of {@link #allReduce(double[], Reduction)}. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(double[] values, Reduction reduction);

    /** As {@link #iAllReduce(long[], Reduction)}; sums overflow as those of {@code int} do. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(int[] values, Reduction reduction);

    /** As {@link #iAllReduce(long[], Reduction)}, with the results of {@link #allReduce(float[], Reduction)}. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(float[] values, Reduction reduction);

    /** As {@link #iAllReduce(long[], Reduction)}; returns when all PEs have called it, also with empty arrays. */
    @Collective
    void allReduce(long[] values, Reduction reduction);

    /**
     * As {@link #allReduce(long[], Reduction)}, but only one PE gets the result: the arrays of the others stay as they
     * are. Costs what {@code allReduce} costs, and returns when all PEs have called it.
     *
     * @param root current rank of the PE that gets it
     */
    @Collective
    void reduce(long[] values, Reduction reduction, int root);

    /** As {@link #reduce(long[], Reduction, int)}, with the results of {@link #allReduce(double[], Reduction)}. */
    @Collective
    void reduce(double[] values, Reduction reduction, int root);

    /**
     * As {@link #allReduce(long[], Reduction)}; sums are made in an order that may depend on the number of PEs. The
     * results have the same bits on all PEs. Those of {@link Reduction#MIN} and {@link Reduction#MAX} are those of
     * {@link Math#min(double, double)} and {@link Math#max(double, double)} on every transport: NaN when any PE has a
     * NaN, and -0.0 is less than 0.0. A NaN in a result is always {@link Double#NaN}, to the bit.
     */
    @Collective
    void allReduce(double[] values, Reduction reduction);

    /** As {@link #allReduce(long[], Reduction)}; sums overflow as those of {@code int} do. */
    @Collective
    default void allReduce(int[] values, Reduction reduction) {
        iAllReduce(values, reduction).await();
    }

    /**
     * As {@link #allReduce(double[], Reduction)}, a NaN being {@link Float#NaN}: sums are made in double precision and
     * rounded once.
     */
    @Collective
    default void allReduce(float[] values, Reduction reduction) {
        iAllReduce(values, reduction).await();
    }

    /** Combines one value of each PE. Called by all PEs; blocks. It allocates nothing under MPI. */
    @Collective
    long allReduce(long value, Reduction reduction);

    /** As {@link #allReduce(double[], Reduction)}, of one value of each PE. */
    @Collective
    double allReduce(double value, Reduction reduction);

    /**
     * Brings the content of an array from one PE to all others, in {@code O(log P)} messages one after the other, after
     * a reduction in which all PEs see that they mean the same root. Called by all PEs; blocks.
     *
     * @param values array of a primitive type, see above, with the same type and length on all PEs; filled but on the
     *        root
     * @param root current rank of the PE that has the content, the same on all PEs
     */
    @Collective
    void broadcast(Object values, int root);

    /**
     * Brings an array of each PE to one of them, which receives a message from each that is not empty. Called by all
     * PEs; blocks.
     *
     * @param mine array of a primitive type, see above, the same type on all PEs, of any length
     * @param root current rank of the PE that gets them, the same on all PEs
     * @return on the root a new array for each PE, by current rank; null elsewhere
     */
    @Collective
    <A> A @Nullable [] gather(A mine, int root);

    /**
     * Brings an array of each PE to all. Called by all PEs; blocks.
     *
     * @param mine array of a primitive type, see above, the same type on all PEs, of any length
     * @return a new array for each PE, by current rank
     */
    @Collective
    <A> A[] allGather(A mine);

    /**
     * Brings an array from every PE to every other. Called by all PEs; blocks. Empty ones are not sent: where a PE
     * sends m arrays and r come to it, it takes {@code O(m + r + log P)} messages, see {@link org.restorej.comm.collective.SparseAllToAll}.
     *
     * @param messages element i, an array of a primitive type, see above, is for current rank i
     * @return new arrays: element i has come from current rank i, and is empty when that sent nothing
     */
    @Collective
    <A> A[] allToAll(A[] messages);

    /**
     * Begins to agree on the bitwise and of flags among the PEs alive, whatever fails meanwhile, even when revoked:
     * every PE that asks gets the same answer. Until all have begun, this PE may do anything else, also on this
     * communicator, but for {@link #agree} and {@link #shrink}. Called by all PEs in the same order; agreements on
     * different communicators have nothing to do with each other, and each PE may begin them in an order of its own.
     */
    @Collective
    @CheckReturnValue
    PendingAgreement iAgree(int flags);

    /** As {@link #iAgree}, and waits until all PEs alive have agreed. */
    @Collective
    default Agreement agree(int flags) {
        PendingAgreement pending = iAgree(flags);
        pending.await();
        return pending.agreement();
    }

    /** Makes every pending and later operation of every PE on this communicator fail, so that nobody waits in vain. */
    void revoke();

    /**
     * As {@link #revoke()}, and says why: an MPI that survives no failure can't wake the others, so there this ends the
     * job, unless a failure was simulated before, and prints the reason.
     */
    default void revoke(Throwable reason) {
        revoke();
    }

    /** Whether this communicator was revoked, as far as this PE knows. */
    boolean isRevoked();

    /** Original ranks of the processes of this communicator that this PE knows to have failed, ascending. */
    SortedSet<OriginalRank> failedRanks();

    /**
     * The failure that a program has met in calls of MPI that it makes itself, beside this communicator, on one of MPI
     * for the same PEs ({@link org.restorej.comm.mpi.EmbeddedMpi#intracomm}): loops and {@link org.restorej.comm.mpi.Programs}
     * take it for what this communicator would have thrown. Local; waits for up to 3 s until a failure is detected.
     *
     * @param thrown what the program has thrown
     * @return the failure, when {@code thrown} or one of its causes is an {@code mpi.MPIException} and a process of this
     *         communicator has failed, or it is revoked; empty otherwise, and where MPI isn't called by its Java
     *         bindings or failures are simulated
     */
    default Optional<CommunicationFailedException> failureBehind(Throwable thrown) {
        return Optional.empty();
    }

    /**
     * A new communicator of the PEs alive, in the same order, on which nobody of this one is known to have failed.
     * Called by all survivors; blocks.
     */
    @Collective
    Communicator shrink();

    /**
     * A communicator of the same PEs whose messages and collective calls never mix with those of this one. Called by
     * all PEs; blocks.
     */
    @Collective
    Communicator duplicate();

    /**
     * Splits the PEs into groups, each with a communicator of its own, in which they have the same order and their
     * original ranks. A failure in one group disturbs no other group. Called by all PEs; blocks. Costs an exchange of
     * the colors, a barrier, and memory of the size of this communicator.
     *
     * @param color PEs with the same one are a group; a PE with a negative one, such as {@link #NO_COLOR}, is in none
     * @return the communicator of this PE's group; empty without a color
     * @throws CommunicationFailedException when a process has failed, or this communicator is revoked, before all had
     *         their group; where other PEs have got theirs all the same, it is revoked
     */
    @Collective
    Optional<Communicator> split(int color);

    /** Whether a process can fail without taking the others with it. */
    boolean survivesFailures();

    /** Lets go of the communicator. Never waits for other PEs, and never fails because of them. */
    @Override
    void close();
}

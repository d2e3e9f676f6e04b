package org.restorej.comm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.message.ReservedTags;

/**
 * A group of PEs that exchange messages, with the semantics of MPI and ULFM. A <em>PE</em> is a rank of an MPI job or,
 * without MPI, a thread.
 *
 * <p>
 * Calls that return a {@link Request} are non-blocking, and their names begin with {@code i} as in MPI; all others
 * block or are local.
 *
 * <p>
 * Ranks are <em>current</em> ranks, {@code 0 .. size() - 1}; {@link #ranks} translates them to original ranks. Messages
 * between the same two PEs with the same tag arrive in the order in which they were sent. Segments of non-blocking
 * calls must be off-heap, and must stay allocated and, for sends, unchanged until their {@link Request} has completed.
 * Not thread-safe: one thread of a PE uses its communicators at a time.
 *
 * <p>
 * <b>Failures.</b> Every method may throw {@link ProcessFailedException} when a process that it depends on has failed,
 * and {@link CommunicatorRevokedException} after {@link #revoke}; both are {@link CommunicationFailedException}s. PEs
 * may see different outcomes: of the same barrier some may return and others throw. By {@link #agree} the survivors
 * reach uniform agreement, and by {@link #shrink} they continue; these two work in spite of failures and revocation.
 *
 * <p>
 * <b>Invalid arguments.</b> A collective call that throws on one PE has revoked the communicator before, and so ends on
 * all: the others get a {@link CommunicatorRevokedException}, if they need the missing PE. Arguments are checked first,
 * so if they are invalid on all PEs, all PEs get the same exception.
 *
 * <p>
 * <b>Arrays.</b> {@link #sendReceive(Object, int, Object, int, int) sendReceive}, {@link #broadcast}, {@link #gather},
 * {@link #allGather(Object) allGather} and {@link #allToAll} take arrays of {@code byte}, {@code int}, {@code long},
 * {@code float} and {@code double} of up to {@link #MAX_MESSAGE_BYTES} bytes, and copy them off the heap and back. When
 * they return or throw, they have no pending requests and no off-heap memory. One that throws has revoked the
 * communicator, so that no PE waits for this one; the other PEs then get a {@link CommunicatorRevokedException}. Only
 * if all PEs see that types, roots or lengths of a broadcast differ, all throw {@link IllegalArgumentException}, and
 * the communicator is not revoked.
 */
public interface Communicator extends AutoCloseable {
    /** The longest message in bytes: 1 GiB, below MPI's limit of 2 GiB - 1 for a count. */
    int MAX_MESSAGE_BYTES = MessageArguments.MAX_MESSAGE_BYTES;

    /**
     * The largest tag of a message: {@code 32,759}. Tags up to 32,767, the largest that MPI guarantees, are reserved
     * for calls on arrays.
     */
    int MAX_TAG = ReservedTags.MAX_TAG;

    /** In {@code sendReceive}, instead of a rank: no PE, for example beyond the edge of a grid. */
    int NO_RANK = -1;

    /** The color of PEs that {@link #split} puts into no group. */
    int NO_COLOR = -1;

    /**
     * A message that has arrived and not yet been received.
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

    /** A pending {@link #iAgree}. It can't be withdrawn, because the other PEs wait for it. */
    interface PendingAgreement extends Request {
        /**
         * Whether all survivors have agreed; also makes progress. Failures and revocations don't end an agreement, so
         * this throws neither {@link ProcessFailedException} nor {@link CommunicatorRevokedException}.
         */
        @Override
        boolean test();

        /**
         * The agreement, the same on every PE.
         *
         * @throws IllegalStateException before {@link #test} has returned true
         */
        Agreement agreement();

        /** Stops testing for the result; the other PEs still get theirs. */
        @Override
        void cancel();
    }

    /** Current rank of this PE. */
    int rank();

    /** Number of PEs. */
    int size();

    /** The map from current ranks to original ranks. */
    RankMap ranks();

    /** Original rank of this PE. */
    default OriginalRank originalRank() {
        return OriginalRank.of(ranks().originalRankOf(rank()));
    }

    /**
     * Starts to send, as {@code MPI_Isend}; completes when the segment can be reused.
     *
     * @param message at most {@link #MAX_MESSAGE_BYTES} bytes, off-heap
     * @param destination current rank of the receiver
     * @param tag at most {@link #MAX_TAG}
     */
    @CheckReturnValue
    Request iSend(MemorySegment message, int destination, int tag);

    /**
     * Starts a synchronous send, as {@code MPI_Issend}; completes when the receiver has started to receive the message.
     */
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

    /** Waits for requests; see {@link #awaitAll(Collection)}. */
    default void awaitAll(Request... requests) {
        awaitAll(Arrays.asList(requests));
    }

    /**
     * Waits until all requests have completed, and yields the processor meanwhile. After it returns or throws, their
     * buffers may be used and freed.
     *
     * <p>
     * If one of them fails, this revokes the communicator, cancels the others and throws. The revocation also ends the
     * waits of PEs whose peers have not failed but have stopped because of the failure. The same holds if a PE waits in
     * other ways and calls {@link #revoke} after a failure, as {@code CheckpointLoop} does. If a call that starts a
     * message throws, the requests before it are still pending: revoke, and cancel them.
     *
     * @param requests of this communicator
     * @throws CommunicationFailedException when a process that one of them depends on has failed, or the communicator
     *         is revoked
     */
    void awaitAll(Collection<? extends Request> requests);

    /**
     * Sends an array to one PE while it receives one from another; blocks. Matches {@link #iSend} and {@link #iReceive}
     * of as many bytes on the other side. Also ends when only other PEs notice a failure, see
     * {@link #awaitAll(Collection)}.
     *
     * @param sent array of a primitive type, see above
     * @param destination current rank of the receiver, may be this PE; {@link #NO_RANK} to send nothing
     * @param received array of the same type, exactly as long as the message
     * @param source current rank of the sender; {@link #NO_RANK} to receive nothing and leave the array unchanged
     * @param tag at most {@link #MAX_TAG}
     * @throws IllegalArgumentException naming the argument, before anything is sent; revokes, because a PE may wait for
     *         the message
     */
    @Collective
    <A> void sendReceive(A sent, int destination, A received, int source, int tag);

    /**
     * Sends and receives segments on or off the heap, such as parts of arrays; see
     * {@link #sendReceive(Object, int, Object, int, int)}. Off-heap segments are not copied, and must not overlap.
     *
     * @param received as long as the message. If the message has at most {@link #MAX_MESSAGE_BYTES} bytes, the segment
     *        may be longer; the rest is unchanged
     */
    @Collective
    void sendReceive(MemorySegment sent, int destination, MemorySegment received, int source, int tag);

    /** Sends an array; blocks. See {@link #sendReceive(Object, int, Object, int, int)}. */
    @Collective
    default <A> void send(A sent, int destination, int tag) {
        sendReceive(sent, destination, sent, NO_RANK, tag);
    }

    /** Sends a segment on or off the heap; blocks. */
    @Collective
    default void send(MemorySegment sent, int destination, int tag) {
        sendReceive(sent, destination, sent, NO_RANK, tag);
    }

    /** Receives an array; blocks. See {@link #sendReceive(Object, int, Object, int, int)}. */
    @Collective
    default <A> void receive(A received, int source, int tag) {
        sendReceive(received, NO_RANK, received, source, tag);
    }

    /** Receives into a segment on or off the heap; blocks. */
    @Collective
    default void receive(MemorySegment received, int source, int tag) {
        sendReceive(received, NO_RANK, received, source, tag);
    }

    /**
     * The next message with this tag that has arrived from any PE, or null if there is none.
     *
     * @throws ProcessFailedException when some process of the communicator is known to have failed, since the awaited
     *         message may have been its
     */
    @Nullable
    Envelope iProbe(int tag);

    /** Starts a barrier; completes when all PEs have entered it. Called by all PEs in the same order. */
    @Collective
    @CheckReturnValue
    Request iBarrier();

    /** Waits until all PEs have called it. */
    @Collective
    default void barrier() {
        iBarrier().await();
    }

    /**
     * Gathers the same number of bytes from every PE. Called by all PEs; returns when all have called it, even if they
     * gather nothing.
     *
     * @param mine this PE's bytes
     * @param all {@code size() * mine.byteSize()} bytes, at most {@link #MAX_MESSAGE_BYTES}, filled in order of current
     *        ranks
     */
    @Collective
    void allGather(MemorySegment mine, MemorySegment all);

    /**
     * Starts to combine the arrays of all PEs, element by element, in place. Called by all PEs in the same order, with
     * equal lengths.
     *
     * @param values must not be accessed until the request has completed
     */
    @Collective
    @CheckReturnValue
    Request iAllReduce(long[] values, Reduction reduction);

    /** Starts a reduction; see {@link #iAllReduce(long[], Reduction)} and {@link #allReduce(double[], Reduction)}. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(double[] values, Reduction reduction);

    /** Starts a reduction; see {@link #iAllReduce(long[], Reduction)}. Sums overflow as those of {@code int} do. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(int[] values, Reduction reduction);

    /** Starts a reduction; see {@link #iAllReduce(long[], Reduction)} and {@link #allReduce(float[], Reduction)}. */
    @Collective
    @CheckReturnValue
    Request iAllReduce(float[] values, Reduction reduction);

    /**
     * Combines the arrays of all PEs, element by element, in place. Called by all PEs with equal lengths; returns when
     * all have called it, even if the arrays are empty.
     */
    @Collective
    void allReduce(long[] values, Reduction reduction);

    /**
     * Combines the arrays of all PEs; see {@link #allReduce(long[], Reduction)}. Only the root gets the result; the
     * arrays of the others are unchanged. Costs as much as {@code allReduce}, and returns when all PEs have called it.
     *
     * @param root current rank of the PE that gets the result
     */
    @Collective
    void reduce(long[] values, Reduction reduction, int root);

    /** Combines arrays; see {@link #reduce(long[], Reduction, int)} and {@link #allReduce(double[], Reduction)}. */
    @Collective
    void reduce(double[] values, Reduction reduction, int root);

    /**
     * Combines arrays; see {@link #allReduce(long[], Reduction)}. The order of the terms of a sum may depend on the
     * number of PEs. The results have the same bits on all PEs. {@link Reduction#MIN} and {@link Reduction#MAX} give
     * the results of {@link Math#min(double, double)} and {@link Math#max(double, double)} on every transport: NaN when
     * any PE has a NaN, and -0.0 is less than 0.0. A NaN in a result is always {@link Double#NaN}, to the bit.
     */
    @Collective
    void allReduce(double[] values, Reduction reduction);

    /** Combines arrays; see {@link #allReduce(long[], Reduction)}. Sums overflow as those of {@code int} do. */
    @Collective
    default void allReduce(int[] values, Reduction reduction) {
        iAllReduce(values, reduction).await();
    }

    /**
     * Combines arrays; see {@link #allReduce(double[], Reduction)}. A NaN is always {@link Float#NaN}. Sums are
     * computed in double precision and rounded once.
     */
    @Collective
    default void allReduce(float[] values, Reduction reduction) {
        iAllReduce(values, reduction).await();
    }

    /** Combines one value of each PE. Called by all PEs; blocks. Allocates nothing under MPI. */
    @Collective
    long allReduce(long value, Reduction reduction);

    /** Combines one value of each PE; see {@link #allReduce(double[], Reduction)}. */
    @Collective
    double allReduce(double value, Reduction reduction);

    /**
     * Copies the content of an array from one PE to all others, in {@code O(log P)} consecutive messages, after a
     * reduction that compares the roots. Called by all PEs; blocks.
     *
     * @param values array of a primitive type, see above, of equal type and length on all PEs; overwritten except on
     *        the root
     * @param root current rank of the PE that has the content, the same on all PEs
     */
    @Collective
    void broadcast(Object values, int root);

    /**
     * Sends an array of each PE to one of them, which receives a message from each PE whose array is not empty. Called
     * by all PEs; blocks.
     *
     * @param mine array of a primitive type, see above, the same type on all PEs, of any length
     * @param root current rank of the receiving PE, the same on all PEs
     * @return on the root a new array for each PE, by current rank; null elsewhere
     */
    @Collective
    <A> A @Nullable [] gather(A mine, int root);

    /**
     * Sends an array of each PE to all. Called by all PEs; blocks.
     *
     * @param mine array of a primitive type, see above, the same type on all PEs, of any length
     * @return a new array for each PE, by current rank
     */
    @Collective
    <A> A[] allGather(A mine);

    /**
     * Sends an array from every PE to every other. Called by all PEs; blocks. Empty arrays are not sent: a PE that
     * sends m arrays and receives r takes {@code O(m + r + log P)} messages, see
     * {@link org.restorej.comm.collective.SparseAllToAll}.
     *
     * @param messages element i, an array of a primitive type, see above, is for current rank i
     * @return new arrays: element i is from current rank i, and empty if that sent nothing
     */
    @Collective
    <A> A[] allToAll(A[] messages);

    /**
     * Starts an agreement on the bitwise and of flags among the survivors, in spite of failures and revocation: every
     * PE gets the same result. Called by all PEs in the same order. Until all have called it, this PE may do anything
     * else, also on this communicator, except {@link #agree} and {@link #shrink}. Agreements on different communicators
     * are independent, and each PE may start them in its own order.
     */
    @Collective
    @CheckReturnValue
    PendingAgreement iAgree(int flags);

    /** Starts an {@link #iAgree}, and waits until all survivors have agreed. */
    @Collective
    default Agreement agree(int flags) {
        PendingAgreement pending = iAgree(flags);
        pending.await();
        return pending.agreement();
    }

    /**
     * Makes every pending and later operation of every PE on this communicator fail, so that no PE waits for this one.
     */
    void revoke();

    /**
     * Revokes the communicator for a reason; see {@link #revoke()}. An MPI that does not survive failures can't notify
     * the other PEs. There, unless a failure was simulated before, this prints the reason and ends the job.
     */
    default void revoke(Throwable reason) {
        revoke();
    }

    /** Whether this communicator was revoked, as far as this PE knows. */
    boolean isRevoked();

    /** Original ranks of the processes of this communicator that this PE knows to have failed, ascending. */
    SortedSet<OriginalRank> failedRanks();

    /**
     * The failure behind an exception from the program's own MPI calls, on an MPI communicator of the same PEs
     * ({@link org.restorej.comm.mpi.EmbeddedMpi#intracomm}). Loops and {@link org.restorej.comm.mpi.Programs} treat it
     * as if this communicator had thrown it. Local; waits for up to 3 s until a failure is detected.
     *
     * @param thrown exception of the program
     * @return the failure, if {@code thrown} or one of its causes is an {@code mpi.MPIException} and a process of this
     *         communicator has failed, or it is revoked; empty otherwise, and if MPI isn't called through its Java
     *         bindings or failures are simulated
     */
    default Optional<CommunicationFailedException> failureBehind(Throwable thrown) {
        return Optional.empty();
    }

    /**
     * Creates a communicator of the survivors, in the same order, without processes that are known to have failed.
     * Called by all survivors; blocks.
     */
    @Collective
    Communicator shrink();

    /**
     * Creates a communicator of the same PEs, whose messages and collective calls never mix with those of this one.
     * Called by all PEs; blocks.
     */
    @Collective
    Communicator duplicate();

    /**
     * Splits the PEs into groups, each with a communicator of its own, in which they have the same order and their
     * original ranks. A failure in one group does not affect the others. Called by all PEs; blocks. Costs an exchange
     * of the colors, a barrier, and memory of the size of this communicator.
     *
     * @param color PEs of the same color are a group; a PE with a negative color, such as {@link #NO_COLOR}, is in none
     * @return the communicator of this PE's group; empty without a color
     * @throws CommunicationFailedException when a process has failed, or this communicator is revoked, before all PEs
     *         had their group; groups that other PEs have got are then revoked
     */
    @Collective
    Optional<Communicator> split(int color);

    /** Whether a process can fail without ending the others. */
    boolean survivesFailures();

    /** Releases the communicator. Never waits for other PEs, and never fails because of them. */
    @Override
    void close();
}

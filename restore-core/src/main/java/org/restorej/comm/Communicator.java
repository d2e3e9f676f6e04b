package org.restorej.comm;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.local.LocalCluster;

/**
 * A group of PEs that exchange messages: only what the protocols of this project need, after MPI's semantics.
 *
 * <p>
 * Ranks here are <em>current</em> ranks, {@code 0 .. size() - 1}; {@link #ranks} translates them. Messages between the
 * same two PEs with the same tag arrive in the order they were sent. Segments of non-blocking calls must be off-heap
 * and stay alive and, for sends, unchanged until their {@link Request} has completed. One thread of a PE uses a
 * communicator at a time.
 *
 * <p>
 * <b>Failures.</b> Every method may throw {@link ProcessFailedException} when a process it depends on is dead, and
 * {@link CommunicatorRevokedException} after {@link #revoke}. Not every PE sees the same: of one and the same barrier
 * some may return and others throw. {@link #agree} is how the survivors come to one opinion, and {@link #shrink} how
 * they go on; these two work in spite of failures and revocation.
 */
public interface Communicator extends AutoCloseable {
    /** The longest message in bytes: 1 GiB, safely below the 2 GiB - 1 that MPI's counts can say. */
    int MAX_MESSAGE_BYTES = 1 << 30;

    /** Tags are {@code 0 .. MAX_TAG}; MPI promises no more. */
    int MAX_TAG = 32_767;

    /** The color of PEs that {@link #split} puts into no group. */
    int NO_COLOR = -1;

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
     * Starts to send; completes when the segment can be reused.
     *
     * @param message at most {@link #MAX_MESSAGE_BYTES} bytes, off-heap
     * @param destination current rank of the receiver
     * @param tag at most {@link #MAX_TAG}
     */
    Request send(MemorySegment message, int destination, int tag);

    /** As {@link #send}, but completes only when the receiver has begun to receive the message. */
    Request sendSynchronous(MemorySegment message, int destination, int tag);

    /**
     * Starts to receive.
     *
     * @param buffer at least as long as the message, off-heap
     * @param source current rank of the sender
     * @param tag tag of the message
     */
    Request receive(MemorySegment buffer, int source, int tag);

    /**
     * The next message with this tag that waits to be received, from any PE, or null when there is none now.
     *
     * @throws ProcessFailedException when some process of the communicator is known to have failed, since that may be
     *         the one whose message is awaited
     */
    @Nullable
    Envelope probe(int tag);

    /** Enters a barrier; completes when all PEs have entered it. Called by all PEs in the same order. */
    Request barrier();

    /**
     * Gathers the same number of bytes from every PE. Called by all PEs; blocks.
     *
     * @param mine this PE's bytes
     * @param all {@code size() * mine.byteSize()} bytes, filled in order of current ranks
     */
    void allGather(MemorySegment mine, MemorySegment all);

    /** Combines the arrays of all PEs, element by element, in place. Called by all PEs with equal lengths; blocks. */
    void allReduce(long[] values, Reduction reduction);

    /** As {@link #allReduce(long[], Reduction)}; sums are made in an order that may depend on the number of PEs. */
    void allReduce(double[] values, Reduction reduction);

    /**
     * Agrees on flags among the PEs alive, whatever fails meanwhile, even when revoked: every PE that returns has the
     * same answer. Called by all PEs; blocks.
     */
    Agreement agree(int flags);

    /** Makes every pending and later operation of every PE on this communicator fail, so that nobody waits in vain. */
    void revoke();

    /** Whether this communicator was revoked, as far as this PE knows. */
    boolean isRevoked();

    /** Original ranks of the processes of this communicator that this PE knows to have failed, ascending. */
    SortedSet<OriginalRank> failedRanks();

    /**
     * A new communicator of the PEs alive, in the same order, on which nobody of this one is known to be dead. Called
     * by all survivors; blocks.
     */
    Communicator shrink();

    /**
     * A communicator of the same PEs whose messages and collective calls never mix with those of this one. Called by
     * all PEs; blocks.
     */
    Communicator duplicate();

    /**
     * Splits the PEs into groups, each with a communicator of its own, in which they have the same order and their
     * original ranks. A death in one group disturbs no other group. Called by all PEs; blocks. Costs an exchange of the
     * colors, an agreement, and memory of the size of this communicator.
     *
     * @param color PEs with the same one are a group; a PE with a negative one, such as {@link #NO_COLOR}, is in none
     * @return the communicator of this PE's group; empty without a color
     * @throws ProcessFailedException when a process has died before all had their group; the same on every survivor
     * @throws CommunicatorRevokedException when this communicator is revoked
     */
    Optional<Communicator> split(int color);

    /**
     * Whether several threads of a PE may use communicators at the same time, each a communicator of its own. On a
     * {@link LocalCluster} they may, unless it is single-stepping; on MPI they may not.
     */
    boolean allowsConcurrentUse();

    /** Whether a process can fail without taking the others with it. */
    boolean survivesFailures();

    /** Lets go of the communicator. Never waits for other PEs, and never fails because of them. */
    @Override
    void close();
}

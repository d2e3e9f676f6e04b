package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.message.ReservedTags;

/**
 * Gathers an array of every PE to one or all. First all PEs learn type and length of all arrays. Then arrays that are
 * not empty are sent directly to their receivers. If all PEs receive and padding wastes little, the communicator's
 * gather is used instead.
 */
final class ArrayGather {
    private static final int TO_ALL = -1;
    private static final int TYPE = 0;
    private static final int ROOT = 1;
    private static final int BYTES = 2;
    private static final int FIELDS = 3;

    /** Up to this total, padding costs less than many messages. */
    private static final long LITTLE_BYTES = 64 << 10;

    private final Communicator communicator;
    private final MemorySegment mine;
    private final Class<?> arrayClass;
    private final long[] lengths;

    private ArrayGather(Communicator communicator, MemorySegment mine, Class<?> arrayClass, long[] lengths) {
        this.communicator = communicator;
        this.mine = mine;
        this.arrayClass = arrayClass;
        this.lengths = lengths;
    }

    /** See {@link Communicator#gather}. */
    static <A> A @Nullable [] toOne(Communicator communicator, A mine, int root) {
        A[] gathered = MessageExchange.runCollectively(communicator, exchange -> {
            MessageArguments.checkRank("root", root, communicator.size());
            return prepare(communicator, mine, root).<A>exchange(exchange, root);
        });
        return communicator.rank() == root ? gathered : null;
    }

    /** See {@link Communicator#allGather(Object)}. */
    static <A> A[] toAll(Communicator communicator, A mine) {
        return MessageExchange.runCollectively(communicator, exchange -> {
            ArrayGather gather = prepare(communicator, mine, TO_ALL);
            return gather.wastesLittle() ? gather.<A>padded() : gather.<A>exchange(exchange, TO_ALL);
        });
    }

    private static ArrayGather prepare(Communicator communicator, Object mine, int root) {
        MemorySegment bytes = PrimitiveArrays.bytesOf("mine", mine);
        int type = PrimitiveArrays.typeOf("mine", mine.getClass());
        long[] all = new long[FIELDS * communicator.size()];
        communicator.allGather(MemorySegment.ofArray(new long[]{type, root, bytes.byteSize()}),
                MemorySegment.ofArray(all));
        long[] lengths = new long[communicator.size()];
        for (int rank = 0; rank < lengths.length; rank++) {
            int offset = FIELDS * rank;
            if (all[offset + TYPE] != type) {
                throw new ArgumentsDifferException("mine must have the same type on all PEs: it is a "
                        + PrimitiveArrays.describe(type) + " on rank " + communicator.rank() + ", a "
                        + PrimitiveArrays.describe((int) all[offset + TYPE]) + " on rank " + rank);
            }
            if (all[offset + ROOT] != root) {
                throw new ArgumentsDifferException("root must be the same on all PEs: root=" + root + " on rank "
                        + communicator.rank() + ", root=" + all[offset + ROOT] + " on rank " + rank);
            }
            lengths[rank] = all[offset + BYTES];
        }
        return new ArrayGather(communicator, bytes, mine.getClass(), lengths);
    }

    private boolean wastesLittle() {
        long padded = longest() * lengths.length;
        return padded <= LITTLE_BYTES
                || (padded <= Communicator.MAX_MESSAGE_BYTES && padded / 2 <= Arrays.stream(lengths).sum());
    }

    private long longest() {
        return Arrays.stream(lengths).max().orElse(0);
    }

    /** Gathers by messages from each PE to each receiver. */
    private <A> A[] exchange(MessageExchange exchange, int root) {
        int self = communicator.rank();
        A[] all = PrimitiveArrays.arrayOf(arrayClass, lengths.length);
        @Nullable
        MemorySegment[] arriving = new @Nullable MemorySegment[lengths.length];
        MemorySegment leaving = MemorySegment.NULL;
        boolean receives = root == TO_ALL || root == self;
        if (mine.byteSize() > 0 && (root == TO_ALL || root != self)) {
            leaving = exchange.offHeap(mine);
        }
        // Each PE starts with its successor, so that not all send to the same PE at once.
        for (int distance = 1; distance < lengths.length; distance++) {
            int source = Math.floorMod(self - distance, lengths.length);
            if (receives && lengths[source] > 0) {
                MemorySegment buffer = exchange.allocate(lengths[source]);
                arriving[source] = buffer;
                exchange.receive(buffer, source, ReservedTags.GATHER);
            }
            int destination = (int) (((long) self + distance) % lengths.length);
            if (leaving.byteSize() > 0 && (root == TO_ALL || root == destination)) {
                exchange.send(leaving, destination, ReservedTags.GATHER);
            }
        }
        exchange.awaitAll();
        if (receives) {
            for (int source = 0; source < lengths.length; source++) {
                MemorySegment bytes = source == self ? mine : arriving[source];
                all[source] = PrimitiveArrays.copyOf(arrayClass, bytes == null ? MemorySegment.NULL : bytes);
            }
        }
        return all;
    }

    /** Gathers arrays that are padded to equal length. */
    private <A> A[] padded() {
        long longest = longest();
        MemorySegment sent = MemorySegment.ofArray(new byte[(int) longest]);
        MemorySegment received = MemorySegment.ofArray(new byte[(int) longest * lengths.length]);
        MemorySegment.copy(mine, 0, sent, 0, mine.byteSize());
        communicator.allGather(sent, received);
        A[] all = PrimitiveArrays.arrayOf(arrayClass, lengths.length);
        for (int rank = 0; rank < lengths.length; rank++) {
            all[rank] = PrimitiveArrays.copyOf(arrayClass, received.asSlice(rank * longest, lengths[rank]));
        }
        return all;
    }
}

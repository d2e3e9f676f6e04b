package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.internal.message.ReservedTags;

/** An array from every PE to every other, most of them empty: a {@link SparseAllToAll} of those that are not. */
final class ArrayAllToAll {
    private ArrayAllToAll() {}

    /** See {@link Communicator#allToAll}. */
    static <A> A[] allToAll(Communicator communicator, A[] messages, int pieceBytes) {
        return MessageExchange.runCollectively(communicator, pieceBytes, exchange -> {
            Class<?> arrayClass = PrimitiveArrays.classOf("messages", messages).getComponentType();
            int type = PrimitiveArrays.typeOf("an element of messages", arrayClass);
            if (messages.length != communicator.size()) {
                throw new IllegalArgumentException("messages must have an element for each of the "
                        + communicator.size() + " PEs: messages.length=" + messages.length);
            }
            List<SparseAllToAll.Message> sent = new ArrayList<>();
            for (int rank = 0; rank < messages.length; rank++) {
                MemorySegment bytes = PrimitiveArrays.bytesOf("messages[" + rank + "]", messages[rank]);
                if (rank != communicator.rank() && bytes.byteSize() > 0) {
                    sent.add(new SparseAllToAll.Message(rank, exchange.offHeap(bytes)));
                }
            }
            requireSameType(communicator, type);
            A[] received = PrimitiveArrays.arrayOf(arrayClass, communicator.size());
            Arrays.fill(received, PrimitiveArrays.newArray(arrayClass, 0));
            received[communicator.rank()] = PrimitiveArrays.copyOf(arrayClass,
                    PrimitiveArrays.bytesOf("messages", messages[communicator.rank()]));
            SparseAllToAll.Round round = new SparseAllToAll(communicator, ReservedTags.ALL_TO_ALL, exchange::allocate,
                    pieceBytes).begin(sent);
            exchange.whenAborted(round::abort);
            while (!round.isDone()) {
                SparseAllToAll.Message next = round.poll();
                if (next == null) {
                    Thread.onSpinWait();
                } else {
                    received[next.peer()] = PrimitiveArrays.copyOf(arrayClass, next.bytes());
                }
            }
            return received;
        });
    }

    /** Returns when all PEs have called it: nobody is in an earlier all-to-all any more. */
    private static void requireSameType(Communicator communicator, int type) {
        long[] extremes = {type, -type};
        communicator.allReduce(extremes, Reduction.MAX);
        if (extremes[0] != type || extremes[1] != -type) {
            throw new ArgumentsDifferException("messages must have the same type on all PEs: it is a "
                    + PrimitiveArrays.describe(type) + "[] on rank " + communicator.rank() + ", a "
                    + PrimitiveArrays.describe((int) (extremes[0] != type ? extremes[0] : -extremes[1]))
                    + "[] on another");
        }
    }
}

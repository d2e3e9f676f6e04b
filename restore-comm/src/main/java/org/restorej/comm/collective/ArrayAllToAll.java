package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.ArgumentsDifferException.Compared;
import org.restorej.internal.message.ReservedTags;

/** Sends an array from every PE to every other: a {@link SparseAllToAll} of those that are not empty. */
final class ArrayAllToAll {
    private ArrayAllToAll() {}

    /** See {@link Communicator#allToAll}. */
    static <A> A[] allToAll(Communicator communicator, A[] messages) {
        return MessageExchange.runCollectively(communicator, exchange -> {
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
            ArgumentsDifferException.requireSame(communicator, Compared.type("messages", type));
            A[] received = PrimitiveArrays.arrayOf(arrayClass, communicator.size());
            Arrays.fill(received, PrimitiveArrays.newArray(arrayClass, 0));
            received[communicator.rank()] = PrimitiveArrays.copyOf(arrayClass,
                    PrimitiveArrays.bytesOf("messages", messages[communicator.rank()]));
            SparseAllToAll.Round round = new SparseAllToAll(communicator, ReservedTags.ALL_TO_ALL, exchange::allocate)
                    .begin(sent);
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
}

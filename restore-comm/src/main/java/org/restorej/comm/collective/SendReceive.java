package org.restorej.comm.collective;

import org.restorej.comm.Communicator;

import java.lang.foreign.MemorySegment;
import org.restorej.internal.message.MessageArguments;

/** Sends a message to one PE and receives one from another, at the same time. */
final class SendReceive {
    private SendReceive() {}

    /** See {@link Communicator#sendReceive(Object, int, Object, int, int)}. */
    static void arrays(Communicator communicator, Object sent, int destination, Object received, int source, int tag) {
        MessageExchange.<Boolean>run(communicator, exchange -> {
            int typeSent = PrimitiveArrays.typeOf("sent", PrimitiveArrays.classOf("sent", sent));
            int typeReceived = PrimitiveArrays.typeOf("received", PrimitiveArrays.classOf("received", received));
            if (typeSent != typeReceived) {
                throw new IllegalArgumentException("sent and received must be arrays of the same type: sent is a "
                        + PrimitiveArrays.describe(typeSent) + ", received is a "
                        + PrimitiveArrays.describe(typeReceived));
            }
            return exchange(communicator, exchange, PrimitiveArrays.bytesOf("sent", sent), destination,
                    PrimitiveArrays.bytesOf("received", received), source, tag);
        });
    }

    /** See {@link Communicator#sendReceive(MemorySegment, int, MemorySegment, int, int)}. */
    static void segments(Communicator communicator, MemorySegment sent, int destination, MemorySegment received,
            int source, int tag) {
        MessageExchange.<Boolean>run(communicator,
                exchange -> exchange(communicator, exchange, sent, destination, received, source, tag));
    }

    private static boolean exchange(Communicator communicator, MessageExchange exchange, MemorySegment sent,
            int destination, MemorySegment received, int source, int tag) {
        checkRankOrNobody("destination", destination, communicator.size());
        checkRankOrNobody("source", source, communicator.size());
        MessageArguments.checkTag(tag);
        MessageArguments.checkGiven("sent", sent);
        MessageArguments.checkGiven("received", received);
        MessageArguments.checkLength("sent", sent);
        MessageArguments.checkLength("received", received);
        MessageArguments.checkUsable("sent", sent);
        MessageArguments.checkUsable("received", received);
        if (source != Communicator.NO_RANK) {
            MessageArguments.checkWritable("received", received);
        }
        // The off-heap copy has the old content, too, because a shorter message leaves the rest unchanged.
        MemorySegment arriving = source == Communicator.NO_RANK ? received : exchange.offHeap(received);
        if (source != Communicator.NO_RANK) {
            exchange.receive(arriving, source, tag);
        }
        if (destination != Communicator.NO_RANK) {
            exchange.send(exchange.offHeap(sent), destination, tag);
        }
        exchange.awaitAll();
        if (!arriving.equals(received)) {
            received.copyFrom(arriving);
        }
        return true;
    }

    private static void checkRankOrNobody(String argument, int rank, int size) {
        if (rank != Communicator.NO_RANK && (rank < 0 || rank >= size)) {
            throw new IllegalArgumentException(argument + " must be in [0, " + size + ") or NO_RANK, "
                    + Communicator.NO_RANK + ": " + argument + "=" + rank);
        }
    }
}

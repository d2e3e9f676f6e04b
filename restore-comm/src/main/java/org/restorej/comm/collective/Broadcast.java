package org.restorej.comm.collective;

import java.lang.foreign.MemorySegment;
import org.restorej.comm.Communicator;
import org.restorej.comm.collective.ArgumentsDifferException.Compared;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.message.ReservedTags;

/**
 * Sends an array from one PE to all, along a binomial tree: with ranks counted from the root, a PE's parent is its rank
 * without the lowest set bit. A long array is sent in pieces, each forwarded as soon as it arrives.
 */
final class Broadcast {
    /** Short compared with a long array, long compared with the latency of a message. */
    private static final int PIECE_BYTES = 1 << 20;

    private final Communicator communicator;
    private final MessageExchange exchange;
    private final int root;

    private Broadcast(Communicator communicator, MessageExchange exchange, int root) {
        this.communicator = communicator;
        this.exchange = exchange;
        this.root = root;
    }

    /** See {@link Communicator#broadcast}. */
    static void broadcast(Communicator communicator, Object values, int root) {
        MessageExchange.<Boolean>runCollectively(communicator, exchange -> {
            MessageArguments.checkRank("root", root, communicator.size());
            int type = PrimitiveArrays.typeOf("values", PrimitiveArrays.classOf("values", values));
            MemorySegment bytes = PrimitiveArrays.bytesOf("values", values);
            // Otherwise messages would be sent to PEs that expect none, which would take them for those of a later
            // broadcast.
            ArgumentsDifferException.requireSame(communicator, Compared.root(root), Compared.type("values", type),
                    new Compared("values", bytes.byteSize(), length -> PrimitiveArrays.describe(type, length)));
            if (communicator.size() > 1) {
                new Broadcast(communicator, exchange, root).run(bytes);
            }
            return true;
        });
    }

    private void run(MemorySegment values) {
        boolean isRoot = communicator.rank() == root;
        MemorySegment staged = exchange.allocate(values.byteSize());
        if (isRoot) {
            staged.copyFrom(values);
        }
        for (long offset = 0; offset < values.byteSize(); offset += PIECE_BYTES) {
            MemorySegment piece = staged.asSlice(offset, Math.min(PIECE_BYTES, values.byteSize() - offset));
            if (!isRoot) {
                exchange.receiveNow(piece, rankOf(relative() & (relative() - 1)), ReservedTags.BROADCAST);
            }
            sendToChildren(piece);
        }
        if (!isRoot) {
            values.copyFrom(staged);
        }
        exchange.awaitAll();
    }

    /** This PE's rank, counted from the root. */
    private int relative() {
        return Math.floorMod(communicator.rank() - root, communicator.size());
    }

    private int rankOf(int relative) {
        return (int) (((long) relative + root) % communicator.size());
    }

    /** Sends to all children, first to that with the largest subtree. */
    private void sendToChildren(MemorySegment message) {
        int relative = relative();
        int subtree = relative == 0
                ? Integer.highestOneBit(communicator.size() - 1) << 1
                : Integer.lowestOneBit(relative);
        for (int distance = subtree >> 1; distance > 0; distance >>= 1) {
            if (distance < communicator.size() - relative) {
                exchange.send(message, rankOf(relative + distance), ReservedTags.BROADCAST);
            }
        }
    }
}

package org.restorej.comm.collective;

import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.restorej.internal.message.MessageArguments;
import org.restorej.internal.message.ReservedTags;

/**
 * An array from one PE to all, along a binomial tree: with ranks counted from the root, a PE's parent is its rank
 * without the lowest bit that is set. The first message says what comes, and has all of a short array; the rest of a
 * long one follows in pieces, each passed on as soon as it is there.
 */
final class Broadcast {
    /** Of the first message. With an array of up to 510 doubles it is the only one. */
    private static final int FIRST_BYTES = 4 << 10;

    private static final int HEADER_BYTES = 2 * Long.BYTES;

    /** Short beside what a long array takes on its whole way, long beside the time that a message takes. */
    static final int PIECE_BYTES = 1 << 20;

    private final Communicator communicator;
    private final MessageExchange exchange;
    private final int root;
    private final int pieceBytes;

    private Broadcast(Communicator communicator, MessageExchange exchange, int root, int pieceBytes) {
        this.communicator = communicator;
        this.exchange = exchange;
        this.root = root;
        this.pieceBytes = pieceBytes;
    }

    /** See {@link Communicator#broadcast}. */
    static void broadcast(Communicator communicator, Object values, int root, int pieceBytes) {
        MessageExchange.<Boolean>runCollectively(communicator, pieceBytes, exchange -> {
            MessageArguments.checkRank("root", root, communicator.size());
            int type = PrimitiveArrays.typeOf("values", PrimitiveArrays.classOf("values", values));
            requireSameRoot(communicator, root);
            new Broadcast(communicator, exchange, root, pieceBytes)
                    .run(type, PrimitiveArrays.bytesOf("values", values));
            return true;
        });
    }

    /** Otherwise messages would wait for PEs that expect none, and be taken for those of a later broadcast. */
    private static void requireSameRoot(Communicator communicator, int root) {
        long[] greatestAndLeast = {root, -root};
        communicator.allReduce(greatestAndLeast, Reduction.MAX);
        if (greatestAndLeast[0] != -greatestAndLeast[1]) {
            throw new ArgumentsDifferException("root must be the same on all PEs: root=" + -greatestAndLeast[1]
                    + " on one, root=" + greatestAndLeast[0] + " on another");
        }
    }

    private void run(int type, MemorySegment values) {
        if (communicator.size() == 1) {
            return;
        }
        long inFirst = Math.min(values.byteSize(), FIRST_BYTES - HEADER_BYTES);
        MemorySegment first = exchange.allocate(FIRST_BYTES);
        if (isRoot()) {
            first.set(ValueLayout.JAVA_LONG, 0, type);
            first.set(ValueLayout.JAVA_LONG, Long.BYTES, values.byteSize());
            MemorySegment.copy(values, 0, first, HEADER_BYTES, inFirst);
        } else {
            exchange.receiveNow(first, parent(), ReservedTags.BROADCAST);
            requireSame(first, type, values.byteSize());
            MemorySegment.copy(first, HEADER_BYTES, values, 0, inFirst);
        }
        sendToChildren(first.asSlice(0, HEADER_BYTES + inFirst));
        if (inFirst < values.byteSize()) {
            passOn(values.asSlice(inFirst));
        }
        exchange.awaitAll();
    }

    private void passOn(MemorySegment rest) {
        MemorySegment staged = exchange.allocate(rest.byteSize());
        if (isRoot()) {
            staged.copyFrom(rest);
        }
        for (long offset = 0; offset < rest.byteSize(); offset += pieceBytes) {
            MemorySegment piece = staged.asSlice(offset, Math.min(pieceBytes, rest.byteSize() - offset));
            if (!isRoot()) {
                exchange.receiveNow(piece, parent(), ReservedTags.BROADCAST);
            }
            sendToChildren(piece);
        }
        if (!isRoot()) {
            rest.copyFrom(staged);
        }
    }

    private boolean isRoot() {
        return communicator.rank() == root;
    }

    /** This PE's rank counted from the root. */
    private int relative() {
        return Math.floorMod(communicator.rank() - root, communicator.size());
    }

    private int rankOf(int relative) {
        return (int) (((long) relative + root) % communicator.size());
    }

    private int parent() {
        return rankOf(relative() & (relative() - 1));
    }

    /** The child with the most PEs behind it first. */
    private void sendToChildren(MemorySegment message) {
        int subtree = isRoot() ? Integer.highestOneBit(communicator.size() - 1) << 1 : Integer.lowestOneBit(relative());
        for (int distance = subtree >> 1; distance > 0; distance >>= 1) {
            if (distance < communicator.size() - relative()) {
                exchange.send(message, rankOf(relative() + distance), ReservedTags.BROADCAST);
            }
        }
    }

    private static void requireSame(MemorySegment first, int type, long bytes) {
        int rootType = (int) first.get(ValueLayout.JAVA_LONG, 0);
        long rootBytes = first.get(ValueLayout.JAVA_LONG, Long.BYTES);
        if (rootType != type || rootBytes != bytes) {
            throw new IllegalArgumentException("values must have the type and length that it has on the root, "
                    + PrimitiveArrays.describe(rootType, rootBytes) + ": values is a "
                    + PrimitiveArrays.describe(type, bytes));
        }
    }
}

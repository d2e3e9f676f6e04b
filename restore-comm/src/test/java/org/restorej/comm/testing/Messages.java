package org.restorej.comm.testing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.Request;

/** Short ways to send, receive and wait. Memory is left to the garbage collector: fine for tests, not for libraries. */
public final class Messages {
    private Messages() {}

    /** Off-heap memory of this many bytes, all 0. */
    public static MemorySegment bytes(long byteSize) {
        return Arena.ofAuto().allocate(byteSize, Long.BYTES);
    }

    /** A message of one number. */
    public static MemorySegment number(long value) {
        MemorySegment message = bytes(Long.BYTES);
        message.set(ValueLayout.JAVA_LONG, 0, value);
        return message;
    }

    /** The number in such a message. */
    public static long numberIn(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Waits until a request has completed. */
    public static void await(Request request) {
        while (!request.test()) {
            Thread.onSpinWait();
        }
    }

    /** Waits until all requests have completed. */
    public static void await(Iterable<? extends Request> requests) {
        requests.forEach(Messages::await);
    }

    /** Waits until a message of this tag is there. */
    public static Envelope awaitEnvelope(Communicator communicator, int tag) {
        @Nullable
        Envelope envelope = communicator.iProbe(tag);
        while (envelope == null) {
            envelope = communicator.iProbe(tag);
        }
        return envelope;
    }

    /** Receives one number. */
    public static long receiveNumber(Communicator communicator, int source, int tag) {
        MemorySegment buffer = bytes(Long.BYTES);
        await(communicator.iReceive(buffer, source, tag));
        return numberIn(buffer);
    }

    /** One number of every PE, by rank; called by all PEs. */
    public static long[] gatherNumbers(Communicator communicator, long mine) {
        MemorySegment all = bytes((long) Long.BYTES * communicator.size());
        communicator.allGather(number(mine), all);
        return all.toArray(ValueLayout.JAVA_LONG);
    }
}

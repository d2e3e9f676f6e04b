package org.restorej.internal.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * What servers say of the bytes that they send: eight bytes after them, which tell whether all of them fit their
 * checksums. Sent with the blocks and not afterwards, since a server may die in between, and its damaged bytes would
 * pass for sound.
 */
final class ServerVerdicts {
    private static final MemorySegment SOUND = verdict(0);
    private static final MemorySegment DAMAGED = verdict(1);

    private final MemorySegment received;
    private int receivedCount;

    /**
     * Room for verdicts.
     *
     * @param servers number of PEs that will send one
     */
    ServerVerdicts(int servers, SegmentAllocator allocator) {
        received = allocator.allocate(ValueLayout.JAVA_LONG, servers);
    }

    private static MemorySegment verdict(long value) {
        MemorySegment memory = Arena.global().allocate(ValueLayout.JAVA_LONG);
        memory.set(ValueLayout.JAVA_LONG, 0, value);
        return memory;
    }

    /** What a server sends after its bytes. */
    static ByteRuns toSend(boolean sound) {
        return ByteRuns.of(sound ? SOUND : DAMAGED);
    }

    /** Where the verdict of the next server goes. */
    ByteRuns toReceive() {
        return ByteRuns.of(received.asSlice((long) receivedCount++ * Long.BYTES, Long.BYTES));
    }

    /** Whether a server has found damage, when all have sent their verdict. */
    boolean anyDamaged() {
        for (int server = 0; server < receivedCount; server++) {
            if (received.getAtIndex(ValueLayout.JAVA_LONG, server) != 0) {
                return true;
            }
        }
        return false;
    }
}

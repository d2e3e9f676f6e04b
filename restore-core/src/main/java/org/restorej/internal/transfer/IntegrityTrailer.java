package org.restorej.internal.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.internal.storage.ByteRuns;

/**
 * Eight bytes behind the blocks that a PE reads for another one: whether all of them fit their checksums. They are sent
 * with the blocks and not afterwards, since the sender may die in between, and its damaged bytes would pass for sound.
 */
final class IntegrityTrailer {
    private static final MemorySegment SOUND = trailer(0);
    private static final MemorySegment DAMAGED = trailer(1);

    private final SegmentAllocator allocator;
    private final List<MemorySegment> received = new ArrayList<>();

    /** Room for the trailers that come to this PE. */
    IntegrityTrailer(SegmentAllocator allocator) {
        this.allocator = allocator;
    }

    private static MemorySegment trailer(long value) {
        MemorySegment memory = Arena.global().allocate(ValueLayout.JAVA_LONG);
        memory.set(ValueLayout.JAVA_LONG, 0, value);
        return memory;
    }

    /** What is sent. */
    static ByteRuns toSend(boolean sound) {
        return ByteRuns.of(sound ? SOUND : DAMAGED);
    }

    /** Where the next one goes that comes. */
    ByteRuns toReceive() {
        received.add(allocator.allocate(ValueLayout.JAVA_LONG));
        return ByteRuns.of(received.getLast());
    }

    /** Whether all that have come say that the bytes before them are sound. */
    boolean allSound() {
        return received.stream().allMatch(trailer -> trailer.get(ValueLayout.JAVA_LONG, 0) == 0);
    }
}

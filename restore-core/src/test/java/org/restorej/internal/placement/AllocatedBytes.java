package org.restorej.internal.placement;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/** Measures what this thread allocates. */
public final class AllocatedBytes {
    private static final int CALLS = 1_000_000;

    private AllocatedBytes() {}

    /** Bytes a call, rounded down: what happens once, like linking a lambda, disappears among so many calls. */
    public static long perCall(IntConsumer call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.setThreadAllocatedMemoryEnabled(true);
        call.accept(0);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.accept(i);
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
    }
}

package org.restorej;

import java.util.concurrent.atomic.AtomicLongArray;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** Hands on the calls that PEs make from a point of their program on, and counts them from there. */
final class LoopCalls implements FaultInjector {
    private static final long NOT_BEGUN = -1;

    private final FaultInjector decides;
    private final AtomicLongArray calls;

    LoopCalls(int pes, FaultInjector decides) {
        this.decides = decides;
        calls = new AtomicLongArray(pes);
        for (int pe = 0; pe < pes; pe++) {
            calls.set(pe, NOT_BEGUN);
        }
    }

    /** The PE has come to that point. */
    void begin(int originalRank) {
        calls.set(originalRank, 0);
    }

    @Override
    public Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation) {
        int rank = originalRank.value();
        return calls.get(rank) == NOT_BEGUN
                ? Fate.GOES_ON
                : decides.fateOf(originalRank, calls.getAndIncrement(rank), operation);
    }
}

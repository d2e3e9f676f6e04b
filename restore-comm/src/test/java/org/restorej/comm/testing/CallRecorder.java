package org.restorej.comm.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** Records all communication calls of a run in the order they were made, and lets another injector decide. */
public final class CallRecorder implements FaultInjector {
    /**
     * One call.
     *
     * @param originalRank who called
     * @param callIndex number of its calls before
     * @param operation what it called
     */
    public record Call(int originalRank, long callIndex, Operation operation) {}

    private final FaultInjector decides;
    private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

    /** Records, and lets everybody live. */
    public CallRecorder() {
        this(FaultInjector.NONE);
    }

    /** Records, and lets another injector decide. */
    public CallRecorder(FaultInjector decides) {
        this.decides = decides;
    }

    @Override
    public Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation) {
        calls.add(new Call(originalRank.value(), callIndex, operation));
        return decides.fateOf(originalRank, callIndex, operation);
    }

    /** All calls so far. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** How many calls a PE has made. */
    public long callCountOf(int originalRank) {
        return calls().stream().filter(call -> call.originalRank == originalRank).count();
    }
}

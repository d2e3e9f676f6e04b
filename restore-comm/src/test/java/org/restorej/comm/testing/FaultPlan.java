package org.restorej.comm.testing;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** Ends PEs at chosen calls, and knows which of these faults really happened. Any thread; one plan for one run. */
public final class FaultPlan implements FaultInjector {
    /**
     * One failure.
     *
     * @param originalRank who fails
     * @param callIndex at which of its communication calls, counted from 0
     * @param fate before or after the call takes effect
     */
    public record Fault(int originalRank, long callIndex, Fate fate) {
        /** A failure before a call. */
        public static Fault before(int originalRank, long callIndex) {
            return new Fault(originalRank, callIndex, Fate.FAILS_BEFORE);
        }

        /** A failure after a call has taken effect. */
        public static Fault after(int originalRank, long callIndex) {
            return new Fault(originalRank, callIndex, Fate.FAILS_AFTER);
        }
    }

    private final List<Fault> faults;
    private final Set<Fault> happened = ConcurrentHashMap.newKeySet();

    private FaultPlan(List<Fault> faults) {
        this.faults = faults;
    }

    /** A plan of these failures. */
    public static FaultPlan of(Fault... faults) {
        return new FaultPlan(List.of(faults));
    }

    @Override
    public Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation) {
        for (Fault fault : faults) {
            if (fault.callIndex == callIndex && fault.originalRank == originalRank.value()) {
                happened.add(fault);
                return fault.fate;
            }
        }
        return Fate.GOES_ON;
    }

    /** How many of the faults have happened. */
    public int happenedCount() {
        return happened.size();
    }

    /**
     * Checks that the run was what the test meant it to be.
     *
     * @throws AssertionError naming the faults that never happened
     */
    public void verifyAllHappened() {
        List<Fault> missing = faults.stream().filter(fault -> !happened.contains(fault)).toList();
        if (!missing.isEmpty()) {
            throw new AssertionError("faults that never happened: " + missing);
        }
    }
}

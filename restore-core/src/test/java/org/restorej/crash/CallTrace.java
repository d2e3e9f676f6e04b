package org.restorej.crash;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.FaultInjector;
import org.restorej.comm.local.FaultInjector.Operation;

/**
 * Notes the calls of a single-stepped run that are worth dying at, and lets another injector decide. One run; its PEs
 * call one at a time.
 */
final class CallTrace implements FaultInjector {
    /** Calls that only look: programs repeat them until something has changed. */
    private static final Set<Operation> POLLS = EnumSet.of(Operation.PROBE, Operation.TEST);

    private final FaultInjector decides;
    private final long[] calls;
    /** Calls of each PE that are worth dying at: not one of a row of the same polls that changed nothing. */
    private final List<List<Point>> crashPoints = new ArrayList<>();
    private final Operation[] lastOperation;
    private long step;

    /** A call of a PE, and how many there were of all PEs before. */
    private record Point(long callIndex, long step) {}

    CallTrace(int pes, FaultInjector decides) {
        this.decides = decides;
        calls = new long[pes];
        lastOperation = new Operation[pes];
        for (int pe = 0; pe < pes; pe++) {
            crashPoints.add(new ArrayList<>());
        }
    }

    @Override
    public synchronized Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation) {
        int rank = originalRank.value();
        calls[rank] = callIndex + 1;
        boolean repeated = operation == lastOperation[rank] && POLLS.contains(operation);
        lastOperation[rank] = operation;
        if (!repeated) {
            crashPoints.get(rank).add(new Point(callIndex, step++));
        }
        return decides.fateOf(originalRank, callIndex, operation);
    }

    /** Number of calls that a PE has made. */
    synchronized long callCount(int rank) {
        return calls[rank];
    }

    /** Calls of a PE at which it may die. */
    synchronized List<Long> crashPoints(int rank) {
        return crashPoints.get(rank).stream().map(Point::callIndex).toList();
    }

    /** Calls of a PE at which it may die after a call of another one. */
    synchronized List<Long> crashPointsAfter(int otherRank, long otherCall, int rank) {
        long death = crashPoints.get(otherRank).stream().filter(point -> point.callIndex() == otherCall).findFirst()
                .orElseThrow().step();
        return crashPoints.get(rank).stream().filter(point -> point.step() > death).map(Point::callIndex).toList();
    }
}

package org.restorej.faults;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.local.LocalCluster.FaultInjector;

/** Makes PEs fail at chosen calls, and records the calls of one single-stepped run. */
final class Trace implements FaultInjector {
    /** Calls that programs repeat until something has changed. */
    private static final Set<Operation> POLLS = EnumSet.of(Operation.PROBE, Operation.TEST);

    private final List<Failure> failures;
    private final Set<Failure> happened = new HashSet<>();
    private final List<Line> lines = new ArrayList<>();
    private long time;

    /** The calls of one PE. */
    private static final class Line {
        private final List<Step> steps = new ArrayList<>();
        private FaultInjector.Operation last = FaultInjector.Operation.FAIL;
        private long calls;
        private long begin = -1;
        private long end = -1;

        boolean contains(long call) {
            return begin >= 0 && call >= begin && (end < 0 || call < end);
        }
    }

    /**
     * A recorded call.
     *
     * @param time number of calls of all PEs before it
     * @param repeated whether it is a poll that follows the same poll of the same PE
     */
    private record Step(Call call, long time, boolean repeated) {}

    Trace(int pes, List<Failure> failures) {
        this.failures = failures;
        for (int pe = 0; pe < pes; pe++) {
            lines.add(new Line());
        }
    }

    @Override
    public synchronized Fate fateOf(OriginalRank originalRank, long callIndex, Operation operation) {
        Line line = lines.get(originalRank.value());
        boolean repeated = operation == line.last && line.calls > 0 && POLLS.contains(operation);
        line.steps.add(new Step(new Call(originalRank.value(), callIndex, operation), time++, repeated));
        line.last = operation;
        line.calls = callIndex + 1;
        for (Failure failure : failures) {
            if (failure.pe() == originalRank.value() && failure.call() == callIndex) {
                happened.add(failure);
                return failure.before() ? Fate.FAILS_BEFORE : Fate.FAILS_AFTER;
            }
        }
        return Fate.GOES_ON;
    }

    /** The marks of a PE's part in which PEs fail. */
    FailureAtEveryCall.Part part(int pe) {
        return new FailureAtEveryCall.Part() {
            @Override
            public void begin() {
                synchronized (Trace.this) {
                    Line line = lines.get(pe);
                    line.begin = line.begin < 0 ? line.calls : line.begin;
                }
            }

            @Override
            public void end() {
                synchronized (Trace.this) {
                    Line line = lines.get(pe);
                    line.end = line.end < 0 ? line.calls : line.end;
                }
            }

            @Override
            public int failures() {
                return failures.size();
            }
        };
    }

    /** The chosen failures that did not happen. */
    synchronized List<Failure> missing() {
        return failures.stream().filter(failure -> !happened.contains(failure)).toList();
    }

    /**
     * The calls of a PE at which it may fail: those in the marked part, or all if no PE marked one.
     *
     * @param repeatedPolls whether to include all of consecutive polls, not only the first
     */
    synchronized List<Call> callsInPart(int pe, boolean repeatedPolls) {
        Line line = lines.get(pe);
        boolean whole = lines.stream().allMatch(each -> each.begin < 0);
        return line.steps.stream().filter(step -> repeatedPolls || !step.repeated()).map(Step::call)
                .filter(call -> whole || line.contains(call.number())).toList();
    }

    /** The calls of a PE after a failure of another PE, to the end of the run. */
    synchronized List<Call> callsAfter(Failure failure, int pe) {
        long when = stepOf(failure).time();
        return lines.get(pe).steps.stream().filter(step -> step.time() > when && !step.repeated()).map(Step::call)
                .toList();
    }

    private Step stepOf(Failure failure) {
        return lines.get(failure.pe()).steps.stream().filter(step -> step.call().number() == failure.call()).findFirst()
                .orElseThrow();
    }

    /** Such as "PE 1 failed before its call 17 (allReduce)". */
    synchronized String describe(List<Failure> all) {
        return all.stream().map(failure -> "PE " + failure.pe() + " failed " + (failure.before() ? "before" : "after")
                + " its call " + failure.call() + lines.get(failure.pe()).steps.stream()
                        .filter(step -> step.call().number() == failure.call()).findFirst()
                        .map(step -> " (" + step.call().operation() + ")").orElse(""))
                .collect(Collectors.joining(", "));
    }
}

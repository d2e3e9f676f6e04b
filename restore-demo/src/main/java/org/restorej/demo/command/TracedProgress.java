package org.restorej.demo.command;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.run.Progress;
import org.restorej.demo.run.RecoverySummary;
import org.restorej.demo.run.RunTrace;

/** Passes on how a run goes, and keeps what happened in it. All PEs of this JVM share it. */
final class TracedProgress implements Progress {
    private final Progress listener;
    private volatile @Nullable RunTrace trace;

    TracedProgress(Progress listener) {
        this.listener = listener;
    }

    @Override
    public void iterationDone(int iteration, double value) {
        listener.iterationDone(iteration, value);
    }

    @Override
    public void recovered(RecoverySummary recovery) {
        listener.recovered(recovery);
    }

    @Override
    public boolean wantsTrace() {
        return true;
    }

    @Override
    public void traced(RunTrace whatHappened) {
        trace = whatHappened;
    }

    /** What happened; nothing before the run has ended. */
    Optional<RunTrace> trace() {
        return Optional.ofNullable(trace);
    }
}

package org.restorej.demo.run;

import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.Recovery;

/**
 * Makes PEs fail on schedule, and keeps what it took to recover from that. Each PE has one; a program that is not a
 * demo needs none of it.
 */
public final class FailureDrill {
    private final Progress progress;
    private final boolean kills;
    private final RecoveryJournal journal = new RecoveryJournal();
    private int iteration;
    /** Only between begin and end, and only when a trace is wanted. */
    private @Nullable TraceRecorder recorder;

    /**
     * A drill of one PE.
     *
     * @param progress is told of recoveries, on the lowest rank alive
     * @param kills whether processes are killed also where no other survives that, and the job ends
     */
    public FailureDrill(Progress progress, boolean kills) {
        this.progress = progress;
        this.kills = kills;
    }

    /** The iterations that count begin, on all PEs together. Called by all PEs. */
    public void begin(CheckpointLoop loop) {
        if (progress.wantsTrace()) {
            long origin = loop.evaluate(comm -> {
                comm.allReduce(new long[1], Reduction.MAX);
                // At once: what comes behind takes some PEs longer than others.
                return System.nanoTime();
            });
            recorder = new TraceRecorder(loop.communicator(), origin);
        }
    }

    /** What is done from now on belongs to this iteration; they count from 1. */
    public void enter(int number) {
        iteration = number;
        journal.enter(number);
    }

    /** The iteration that was entered last. */
    public int iteration() {
        return iteration;
    }

    /** A recovery has just been completed. */
    public void noteRecovery(Recovery recovery) {
        journal.noteRecovery(recovery);
        if (recorder != null) {
            recorder.noteRecovery(recovery, iteration);
        }
    }

    /**
     * Makes those fail who are to fail in this iteration and are still alive. Called by all PEs, before anything of the
     * iteration is computed; on those who fail it does not return.
     */
    public void injectFailures(Communicator communicator, FailureSchedule failures)
            throws IOException, InterruptedException {
        IntSortedSet failing = failures.currentRanksFailingAt(iteration, communicator.ranks());
        if (failing.isEmpty()) {
            return;
        }
        noteFailure();
        try {
            // Together, so that the time that each PE notes is that of the failure.
            communicator.allReduce(new long[1], Reduction.MAX);
            noteFailure();
        } finally {
            // The first of several to fail may have left another in the reduction.
            if (!kills || communicator.survivesFailures()) {
                FailureSimulation.of(communicator).fail(failing.toIntArray());
            } else if (failing.contains(communicator.rank())) {
                // The folder of an MPI may have no command kill.
                new ProcessBuilder("bash", "-c", "kill -9 " + ProcessHandle.current().pid()).start().waitFor();
            }
        }
    }

    private void noteFailure() {
        journal.noteFailure();
        if (recorder != null) {
            recorder.noteFailure();
        }
    }

    /** Puts together what all PEs have noted since the last time, if there was a recovery. Called by all survivors. */
    public void summarizeRecoveries(CheckpointLoop loop) {
        if (!journal.hasNews()) {
            return;
        }
        List<RecoverySummary> fresh = loop.evaluate(journal::summarize);
        journal.keep(fresh);
        exchangeTraces(loop);
        if (loop.communicator().rank() == 0) {
            fresh.forEach(progress::recovered);
        }
    }

    private void exchangeTraces(CheckpointLoop loop) {
        TraceRecorder mine = recorder;
        if (mine != null) {
            mine.keep(loop.evaluate(mine::gather));
        }
    }

    /** The iterations that count are done. Called by all survivors. */
    public void end(CheckpointLoop loop) {
        summarizeRecoveries(loop);
        exchangeTraces(loop);
        // Someone may have failed even in that.
        summarizeRecoveries(loop);
        handOver(loop);
    }

    private void handOver(CheckpointLoop loop) {
        if (recorder != null && loop.communicator().rank() == 0) {
            progress.traced(recorder.trace());
        }
        recorder = null;
    }

    /** Data were lost, and the run ends here. Local. */
    public void endAtLoss(CheckpointLoop loop, IrrecoverableDataLossException loss) {
        if (recorder != null) {
            recorder.noteLoss(loss.failedRanks(), iteration);
        }
        handOver(loop);
    }

    /** The iteration had this result, which shows how far the computation has come. Local. */
    public void noteValue(double value) {
        if (recorder != null) {
            recorder.noteValue(iteration, value);
        }
    }

    /** All recoveries put together so far: a view. */
    public List<RecoverySummary> recoveries() {
        return journal.summaries();
    }
}

package org.restorej.demo.phylo.run;

import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
final class FailureDrill {
    private final Progress progress;
    private final boolean kills;
    private final RecoveryJournal journal = new RecoveryJournal();
    private final boolean keepsValues;
    private final List<RunTrace.Value> values = new ArrayList<>();
    private int iteration;
    private RunTrace.@Nullable Loss loss;

    /**
     * A drill of one PE.
     *
     * @param progress is told of recoveries, on the lowest rank alive
     * @param kills whether processes are killed also where no other survives that, and the job ends
     * @param keepsValues whether the trace has the values of all iterations
     */
    FailureDrill(Progress progress, boolean kills, boolean keepsValues) {
        this.progress = progress;
        this.kills = kills;
        this.keepsValues = keepsValues;
    }

    /** The iterations that count begin, on all PEs together. Called by all PEs. */
    void begin(CheckpointLoop loop) {
        loop.evaluate(comm -> {
            comm.barrier();
            journal.begin();
            return true;
        });
    }

    /** What is done from now on belongs to this iteration; they count from 1. */
    void enter(int number) {
        iteration = number;
    }

    /** The iteration that was entered last. */
    int iteration() {
        return iteration;
    }

    /** A recovery has just been completed. */
    void noteRecovery(Recovery recovery) {
        journal.noteRecovery(recovery, iteration);
    }

    /**
     * Makes the PEs fail that are planned to fail in this iteration and are alive. Called by all PEs, before anything of
     * the iteration is computed; does not return on PEs that fail.
     */
    void injectFailures(Communicator communicator, FailureSchedule failures)
            throws IOException, InterruptedException {
        IntSortedSet failing = failures.currentRanksFailingAt(iteration, communicator.ranks());
        if (failing.isEmpty()) {
            return;
        }
        journal.noteFailure();
        try {
            // Together, so that the time that each PE notes is that of the failure.
            communicator.allReduce(new long[1], Reduction.MAX);
            journal.noteFailure();
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

    /** Puts together what all PEs have noted since the last time, if there was a recovery. Called by all survivors. */
    void summarizeRecoveries(CheckpointLoop loop) {
        if (!journal.hasNews()) {
            return;
        }
        List<RecoverySummary> fresh = loop.evaluate(journal::summarize);
        journal.keep(fresh);
        if (loop.communicator().rank() == 0) {
            fresh.forEach(progress::recovered);
        }
    }

    /** Data were lost, and the run ends here. Local. */
    void endAtLoss(IrrecoverableDataLossException lost) {
        List<Integer> fresh = new ArrayList<>(Arrays.stream(lost.failedRanks().values()).boxed().toList());
        journal.summaries().forEach(recovery -> fresh.removeAll(recovery.failedRanks()));
        loss = new RunTrace.Loss(fresh, iteration);
    }

    /** The iteration had this result, which shows how far the computation has come. Local. */
    void noteValue(double value) {
        if (keepsValues) {
            values.add(new RunTrace.Value(iteration, journal.now(), value));
        }
    }

    /** What has happened up to now, of recoveries those that have been put together. Local. */
    RunTrace trace(int pes) {
        return new RunTrace(pes, journal.summaries(), loss, values, journal.now());
    }
}

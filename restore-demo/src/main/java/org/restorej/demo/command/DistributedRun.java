package org.restorej.demo.command;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.restorej.comm.Communicator;
import org.restorej.demo.PeTask;
import org.restorej.demo.RestoreCommand;
import org.restorej.demo.run.Progress;
import org.restorej.demo.transport.LocalPes;
import org.restorej.demo.transport.MpiLauncher;
import org.restorej.demo.transport.MpiRank;
import org.restorej.demo.transport.Transport;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Runs a demo's task where its plan says: on threads, or as ranks that this process is one of or starts.
 *
 * @param plan where
 * @param shown what its progress looks like
 * @param task makes each PE's part
 * @param report tells the result, on the lowest rank alive
 * @param exitCode what a result means for the exit code
 * @param <R> the result
 */
public record DistributedRun<R>(RunPlan plan, ProgressDisplay.Shown shown, Task<R> task, Consumer<R> report,
        ToIntFunction<R> exitCode) {
    /** Makes the part of one PE. */
    @FunctionalInterface
    public interface Task<R> {
        /** Makes it. */
        PeTask<R> of(Communicator world, Progress progress);
    }

    /**
     * Runs it.
     *
     * @param spec of the command, for its arguments and where it writes
     * @return the exit code
     */
    public int run(CommandSpec spec) {
        if (plan.transport() == Transport.MPI && !MpiRank.isThis()) {
            Map<String, String> properties = Map.of(ProgressDisplay.TERMINAL_PROPERTY,
                    Boolean.toString(ProgressDisplay.isTerminal()));
            return MpiLauncher.run(plan.pes(), plan.processesDie(), properties, RestoreCommand.class,
                    spec.root().commandLine().getParseResult().originalArgs());
        }
        try (ProgressDisplay progress = ProgressDisplay.onStandardError(shown, spec.commandLine().getErr())) {
            Function<Communicator, PeTask<R>> ofPe = world -> task.of(world, progress);
            if (plan.transport() == Transport.MPI) {
                return MpiRank.run(plan.pes(), plan.processesDie(), ofPe, result -> endAndReport(progress, result),
                        exitCode, progress::close);
            }
            R result = LocalPes.run(plan.pes(), ofPe);
            endAndReport(progress, result);
            return exitCode.applyAsInt(result);
        }
    }

    private void endAndReport(ProgressDisplay progress, R result) {
        progress.close();
        report.accept(result);
    }
}

package org.restorej.demo.command;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.restorej.cli.RestoreCommand;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.TerminalBar;
import org.restorej.cli.command.UnwritableFileException;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.demo.transport.LocalPes;
import org.restorej.demo.transport.MpiLauncher;
import org.restorej.demo.transport.MpiRank;
import org.restorej.demo.transport.Transport;
import picocli.CommandLine.ExitCode;
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
        /** Called once on each PE; the progress is shared by all PEs of a JVM. */
        PeTask<R> of(Communicator world, Progress progress);
    }

    /**
     * Runs it.
     *
     * @param spec of the command, for its arguments and where it writes
     * @return the exit code
     */
    public int run(CommandSpec spec) {
        if (plan.transport() == Transport.MPI && !Mpi.wasLaunched()) {
            return picture(spec).map(picture -> picture.ofJob(properties -> launch(spec, properties)))
                    .orElseGet(() -> launch(spec, Map.of()));
        }
        try (ProgressDisplay display = ProgressDisplay.onStandardError(shown, spec.commandLine().getErr())) {
            TracedProgress traced = new TracedProgress(display);
            Progress progress = plan.picture().isPresent() ? traced : display;
            Function<Communicator, PeTask<R>> ofPe = world -> task.of(world, progress);
            ToIntFunction<R> atEnd = result -> endAndReport(display, result, traced, spec);
            if (plan.transport() == Transport.MPI) {
                return MpiRank.run(plan.pes(), plan.mpi(), ofPe, atEnd, exitCode, display::close);
            }
            return atEnd.applyAsInt(LocalPes.run(plan.pes(), ofPe));
        }
    }

    /** Says itself what can't be written, and throws nothing for it: the other ranks wait for the end. */
    private int endAndReport(ProgressDisplay display, R result, TracedProgress traced, CommandSpec spec) {
        display.close();
        try {
            report.accept(result);
            picture(spec).ifPresent(picture -> traced.trace().ifPresent(picture::accept));
            return exitCode.applyAsInt(result);
        } catch (UnwritableFileException unwritable) {
            return CommandErrors.report(spec, unwritable, ExitCode.SOFTWARE);
        }
    }

    private int launch(CommandSpec spec, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(more);
        properties.put(ProgressDisplay.TERMINAL_PROPERTY, Boolean.toString(TerminalBar.isTerminal()));
        return MpiLauncher.run(plan.pes(), plan.mpi(), properties, RestoreCommand.class,
                spec.root().commandLine().getParseResult().originalArgs(), line -> note(spec, line));
    }

    private static void note(CommandSpec spec, String line) {
        spec.commandLine().getErr().println("restore: " + line);
        spec.commandLine().getErr().flush();
    }

    private Optional<RunPictureOutput> picture(CommandSpec spec) {
        String title = String.format(Locale.ROOT, "%s on %d PEs (%s), each block %s", spec.name(),
                plan.pes(), plan.peKind(), plan.redundancy().onHowManyPes());
        return plan.picture().map(file -> new RunPictureOutput(file, title, shown.valueName()));
    }
}

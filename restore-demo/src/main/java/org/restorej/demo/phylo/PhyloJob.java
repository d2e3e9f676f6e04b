package org.restorej.demo.phylo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.restorej.cli.RestoreCommand;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.JobProcess;
import org.restorej.cli.command.PictureFile;
import org.restorej.cli.command.ProjectFolder;
import org.restorej.cli.command.TerminalBar;
import org.restorej.cli.command.UnwritableFileException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.run.PhyloRun;
import org.restorej.demo.phylo.run.RunOutcome;
import org.restorej.demo.phylo.run.Progress;
import org.restorej.demo.phylo.run.RunTrace;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Runs a request on threads of this JVM, or on ranks under MPI, of which this process is one, or which it starts, and
 * reports the result on the lowest rank alive.
 *
 * @param request what is to be run
 * @param spec of the command, for its arguments and where it writes
 */
record PhyloJob(PhyloRequest request, CommandSpec spec) {
    /** Names to ranks the file that one of them leaves the trace of the run in, for the process that draws it. */
    private static final String TRACE_PROPERTY = "restorej.picture.trace";

    /** Whether another process draws what this one sees. */
    static boolean isDrawnElsewhere() {
        return System.getProperty(TRACE_PROPERTY) != null;
    }

    /**
     * Runs it. As a rank, after the failure of a process, it doesn't return, but ends the JVM with the same exit code.
     *
     * @return the exit code
     * @throws InvalidInputException when there is no script to start MPI with, or ranks are more or fewer than PEs
     * @throws IOException when ranks can't be started, or the trace of a picture can't be passed on
     */
    int run() throws IOException {
        if (request.plan().transport() == Transport.MPI && !Mpi.wasLaunched()) {
            return launch();
        }
        try (ProgressDisplay display = new ProgressDisplay(request.settings(), spec.commandLine().getErr())) {
            return request.plan().transport() == Transport.MPI ? asRank(display) : onThreads(display);
        }
    }

    private PhyloRun pe(Communicator world, Progress progress) {
        return new PhyloRun(world, request.analysis(), request.settings(), request.plan().filesOf(world), progress);
    }

    private int onThreads(ProgressDisplay display) {
        try (LocalCluster cluster = LocalCluster.builder(request.plan().pes()).build()) {
            return report(display, PeOutcome.values(cluster.run(world -> pe(world, display).run())).getFirst());
        }
    }

    private int asRank(ProgressDisplay display) {
        Communicator world = Mpi.world(new String[0]);
        Optional<String> mistake = mistake(world);
        if (mistake.isPresent()) {
            boolean first = world.rank() == 0;
            Mpi.finish(world, ExitCode.USAGE);
            if (first) {
                throw new InvalidInputException(mistake.get());
            }
            return ExitCode.USAGE;
        }
        PhyloRun mine = pe(world, display);
        int code = 0;
        try {
            RunOutcome outcome = mine.run();
            code = mine.communicator().rank() == 0 ? report(display, outcome) : outcome.exitCode();
        } catch (SimulatedFailureError failed) {
            display.close();
            // Its process only waits for the others; they decide on the exit code.
        }
        Mpi.finish(mine.communicator(), code);
        return code;
    }

    private Optional<String> mistake(Communicator world) {
        if (world.size() != request.plan().pes()) {
            return Optional.of("--pes must be the number of ranks that mpirun has started, " + world.size()
                    + ": --pes=" + request.plan().pes());
        }
        if (request.plan().mustSurviveKills() && !world.survivesFailures()) {
            return Optional.of("--kill needs an MPI that survives failures of processes, and this is "
                    + Mpi.description() + "; --restarts starts the job again, --fail simulates failures");
        }
        return Optional.empty();
    }

    /** Says itself what can't be written, and throws nothing for it: the other ranks wait for the end. */
    private int report(ProgressDisplay display, RunOutcome outcome) {
        display.close();
        try {
            write(outcome);
            String trace = System.getProperty(TRACE_PROPERTY);
            if (trace != null) {
                new ObjectMapper().writeValue(Path.of(trace).toFile(), outcome.trace());
            } else {
                draw(outcome.trace());
            }
            return outcome.exitCode();
        } catch (UnwritableFileException | IOException unwritable) {
            return CommandErrors.report(spec, unwritable, ExitCode.SOFTWARE);
        }
    }

    private void write(RunOutcome outcome) {
        PrintWriter output = spec.commandLine().getOut();
        output.print(request.options().json ? JsonReport.of(request, outcome) : TextReport.of(request, outcome));
        output.flush();
        PrintWriter errors = spec.commandLine().getErr();
        TextReport.failure(request, outcome).ifPresent(message -> errors.println("restore: " + message));
        errors.flush();
        Path siteValues = request.options().siteValues;
        if (siteValues != null && outcome instanceof RunOutcome.Finished finished) {
            writeSiteValues(siteValues, finished.patternLogLikelihoods().orElseThrow());
        }
    }

    private void writeSiteValues(Path file, double[] ofBlocks) {
        try (BufferedWriter lines = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (long site = 0; site < request.analysis().siteCount(); site++) {
                lines.write(Double.toString(ofBlocks[(int) request.analysis().blockOfSite(site)]));
                lines.newLine();
            }
        } catch (IOException unwritable) {
            throw new UnwritableFileException(PhyloOptions.SITE_VALUES, file, unwritable);
        }
    }

    private void draw(RunTrace trace) {
        Path picture = request.options().picture;
        if (picture != null) {
            String title = String.format(Locale.ROOT, "%s on %d PEs (%s), each block %s", spec.name(),
                    request.plan().pes(), request.plan().peKind(), request.plan().redundancy().onHowManyPes());
            PictureFile.write(PhyloOptions.PICTURE, picture, RunPicture.of(trace, title));
        }
    }

    /** Starts ranks, and draws what one of them has left: the systems that ranks run on have no fonts as a rule. */
    private int launch() throws IOException {
        Path picture = request.options().picture;
        if (picture == null) {
            return launch(Map.of());
        }
        Path trace = Files.createTempFile(picture.toAbsolutePath().getParent(), ".restorej-trace", ".json");
        try {
            int exitCode = launch(Map.of(TRACE_PROPERTY, trace.toString()));
            // A run that went wrong may have left nothing.
            if (Files.size(trace) > 0) {
                draw(new ObjectMapper().readValue(trace.toFile(), RunTrace.class));
            }
            return exitCode;
        } finally {
            Files.deleteIfExists(trace);
        }
    }

    /** Starts this program again, as ranks with this process's streams and class path, and waits for their end. */
    private int launch(Map<String, String> properties) throws IOException {
        Path script = ProjectFolder.find().map(root -> root.resolve("bin/mpirun-java")).filter(Files::isExecutable)
                .orElseThrow(() -> new InvalidInputException("--transport mpi needs the scripts of the project: start "
                        + "with bin/demo or bin/restore, or give this program to mpirun yourself"));
        List<String> command = new ArrayList<>(List.of(script.toString(), "-n",
                Integer.toString(request.plan().pes()), "--restarts", Integer.toString(request.plan().restarts()),
                "--cp", System.getProperty("java.class.path")));
        String mpi = request.options().mpi;
        if (mpi != null) {
            command.addAll(List.of("--mpi", mpi));
        } else if (request.plan().mustSurviveKills()) {
            command.add("--ulfm");
        }
        Map<String, String> ofRanks = new HashMap<>(properties);
        ofRanks.put(ProgressDisplay.TERMINAL_PROPERTY, Boolean.toString(TerminalBar.isTerminal()));
        ofRanks.forEach((name, value) -> command.addAll(List.of("--vm", "-D" + name + "=" + value)));
        command.add(RestoreCommand.class.getName());
        command.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return JobProcess.exitCode(new ProcessBuilder(command).inheritIO());
    }
}

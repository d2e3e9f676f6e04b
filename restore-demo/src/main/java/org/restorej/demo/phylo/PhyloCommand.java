package org.restorej.demo.phylo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.UnwritableFileException;
import org.restorej.demo.command.DistributedRun;
import org.restorej.demo.command.ProgressDisplay;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.PhyloRun;
import org.restorej.demo.phylo.run.RunOutcome;
import org.restorej.demo.phylo.run.RunSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A phylogenetic likelihood, spread over PEs, some of which fail in the middle. */
@Command(name = "phylo", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, sortOptions = false,
        description = "The log-likelihood of a tree for an alignment, with its site patterns spread over PEs, some of "
                + "which fail in the middle. The others pull what was lost from ReStore and finish, with the same "
                + "answer as without failures.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the answer is that of a run without failures",
                "1:it isn't, patterns are lost, or the files are of another run",
                "2:wrong options or input", "75:to be continued: the same command goes on from its files"},
        footer = {"%nExamples:", "  restore demo phylo --pes 8 --fail 2@2,6@3",
                "  restore demo phylo --alignment a.phy --tree t.nwk --model JC+G4{0.5}",
                "  restore demo phylo --transport mpi --pes 8 --kill 2@5,6@9",
                "  restore demo phylo --restarts 2 --kill 2@5",
                "  restore demo phylo --mode optimize --fail 2@2,6@3 --picture phylo.svg"})
public final class PhyloCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private final PhyloOptions options = new PhyloOptions();

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        Optional<PhyloRequest> checked = PhyloRequest.of(options, errors);
        if (checked.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        PhyloRequest request = checked.get();
        RunSettings settings = request.settings();
        ProgressDisplay.Shown shown = new ProgressDisplay.Shown(settings.mode().toString(), settings.iterations(),
                settings.mode() == Mode.OPTIMIZE, "log-likelihood %.4f");
        return new DistributedRun<RunOutcome>(request.plan(), shown,
                (world, progress) -> new PhyloRun(world, request.analysis(), settings, request.plan().filesOf(world),
                        progress),
                outcome -> report(request, outcome), RunOutcome::exitCode).run(spec);
    }

    private void report(PhyloRequest request, RunOutcome outcome) {
        PrintWriter output = spec.commandLine().getOut();
        output.print(switch (request.plan().output()) {
            case TEXT -> TextReport.of(request, outcome);
            case JSON -> JsonReport.of(request, outcome);
        });
        output.flush();
        PrintWriter errors = spec.commandLine().getErr();
        TextReport.failure(request, outcome).ifPresent(message -> errors.println("restore: " + message));
        errors.flush();
        if (outcome instanceof RunOutcome.Finished finished && request.siteValues().isPresent()) {
            writeSiteValues(request, finished, request.siteValues().get());
        }
    }

    private static void writeSiteValues(PhyloRequest request, RunOutcome.Finished finished, Path file) {
        double[] ofBlocks = finished.patternLogLikelihoods().orElseThrow();
        try (BufferedWriter lines = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (long site = 0; site < request.analysis().siteCount(); site++) {
                lines.write(Double.toString(ofBlocks[(int) request.analysis().blockOfSite(site)]));
                lines.newLine();
            }
        } catch (IOException unwritable) {
            throw new UnwritableFileException(PhyloRequest.SITE_VALUES, file, unwritable);
        }
    }
}

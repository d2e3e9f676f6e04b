package org.restorej.cli.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.PictureFile;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.TerminalBar;
import org.restorej.cli.risk.SimulatedLosses;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code simulate}: how often random failures lose data. */
@Command(name = "simulate", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        sortOptions = false,
        description = "How often random failures lose data, by trying with the placement that the store uses.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:simulated", "2:wrong options"},
        footer = {
                "%nExamples:", "  restore simulate --pes 1048576 --replication 4",
                "  restore simulate --pes 1024 --replication 3 --plot losses.svg",
                "  restore simulate --pes 1536 --ranks-per-node 48 --fail node --replication 3 --replenish-after 2"})
public final class SimulateCommand implements Callable<Integer> {
    private static final int MAX_THREADS = 1024;

    private static final String PLOT = "--plot";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private final SimulationOptions options = new SimulationOptions();

    @Option(names = "--threads", paramLabel = "N",
            description = "How many (default: one a processor); they don't change the result.")
    private @Nullable Integer threads;

    @Option(names = PLOT, paramLabel = "FILE",
            description = "Draws what came out, with its intervals, beside the formula, to this file (.svg or .png).")
    private @Nullable Path plot;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        Optional<Simulation> simulation = options.simulation(errors);
        ClusterOptions.require("--threads", threads, MAX_THREADS, errors);
        PictureFile.check(PLOT, plot, errors);
        if (!errors.isEmpty() || simulation.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        SimulatedLosses losses = run(simulation.get());
        SimulationReport report = new SimulationReport(simulation.get(), losses);
        spec.commandLine().getOut().print(json ? report.json() : report.text());
        spec.commandLine().getOut().flush();
        if (plot != null) {
            PictureFile.write(PLOT, plot, RiskChart.of(simulation.get(), losses));
        }
        return ExitCode.OK;
    }

    private SimulatedLosses run(Simulation simulation) {
        int used = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        if (!TerminalBar.isTerminal()) {
            return simulation.run(used, _ -> {});
        }
        try (TerminalBar bar = new TerminalBar("trials", simulation.trials())) {
            return simulation.run(used, bar::stepTo);
        }
    }
}

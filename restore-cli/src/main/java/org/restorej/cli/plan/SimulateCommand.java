package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code simulate}: how often random failures lose data. {@link Simulation} has the meaning of options. */
@Command(name = "simulate", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        sortOptions = false,
        description = "How often random failures lose data, by trying with the placement that the store uses.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:simulated", "2:wrong options"},
        footer = {
                "%nExamples:", "  restore simulate --pes 1048576 --replication 4",
                "  restore simulate --pes 1536 --ranks-per-node 48 --fail node --replication 3 --replenish-after 2"})
public final class SimulateCommand implements Callable<Integer> {
    /** With replenishment the cost of a failure grows with the number of earlier ones. */
    private static final int MAX_REPLENISHED_BY_DEFAULT = 100;
    private static final int MAX_TRIALS = 100_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--replication", required = true, paramLabel = "K",
            description = "On how many ranks each block is.")
    private @Nullable Integer replication;

    @Option(names = "--fail", defaultValue = "rank", paramLabel = "UNIT",
            description = "What fails as a whole: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private FailureUnit unit = FailureUnit.RANK;

    @Option(names = "--failures", paramLabel = "N",
            description = "A trial ends after so many (default: all there are; with --replenish-after at most 100).")
    private @Nullable Integer failures;

    @Option(names = "--replenish-after", paramLabel = "N",
            description = "Re-replicates after each N failures (default: never).")
    private @Nullable Integer replenishAfter;

    @Option(names = "--trials", defaultValue = "1000", paramLabel = "N",
            description = "How many (default: ${DEFAULT-VALUE}); four times as many halve the intervals.")
    private int trials = 1000;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "S",
            description = "Chooses the failures (default: ${DEFAULT-VALUE}); the same seed gives the same result.")
    private long seed = 1;

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        Optional<Simulation> simulation = simulation(errors);
        if (!errors.isEmpty() || simulation.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        spec.commandLine().getOut().print(new SimulationReport(simulation.get(), simulation.get().run()).text());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    /** The simulation, or empty if some options are invalid. */
    private Optional<Simulation> simulation(List<String> errors) {
        Optional<ClusterLayout> layout = cluster.layout(errors);
        int pes = cluster.knownPes();
        if (replication != null && (replication < 1 || (pes > 0 && replication > pes))) {
            errors.add("--replication must be in 1.." + (pes > 0 ? pes + ", the number of ranks" : "P")
                    + ": --replication=" + replication);
        }
        if (unit == FailureUnit.RACK && cluster.nodesPerRack == null) {
            errors.add("--fail=rack needs --nodes-per-rack");
        }
        ClusterOptions.require("--trials", trials, MAX_TRIALS, errors);
        int units = layout.map(known -> known.count(unit)).orElse(ClusterLayout.MAX_PES);
        ClusterOptions.require("--failures", failures, units, errors);
        ClusterOptions.require("--replenish-after", replenishAfter, units, errors);
        if (!errors.isEmpty() || layout.isEmpty() || replication == null) {
            return Optional.empty();
        }
        return Optional.of(new Simulation(layout.get(), unit, replication, maxFailures(units),
                replenishAfter == null ? 0 : replenishAfter, trials, seed));
    }

    private int maxFailures(int units) {
        if (failures != null) {
            return failures;
        }
        return replenishAfter == null
                ? units
                : Math.min(units, Math.max(MAX_REPLENISHED_BY_DEFAULT, replenishAfter));
    }
}

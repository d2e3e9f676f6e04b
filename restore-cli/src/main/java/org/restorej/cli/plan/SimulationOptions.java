package org.restorej.cli.plan;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a simulation as given; {@link Simulation} has their meaning. picocli sets the fields. */
final class SimulationOptions {
    /** With replenishment the cost of a failure grows with the number of earlier ones. */
    private static final int MAX_REPLENISHED_BY_DEFAULT = 100;
    private static final int MAX_TRIALS = 100_000_000;
    private static final int MAX_RING_POINTS = 1024;

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

    @Option(names = "--ring-points", defaultValue = "16", paramLabel = "G",
            description = "Points of a rank on the ring that names new holders (default: ${DEFAULT-VALUE}, that of the "
                    + "store).")
    private int ringPoints = 16;

    @Option(names = "--trials", defaultValue = "1000", paramLabel = "N",
            description = "How many (default: ${DEFAULT-VALUE}); four times as many halve the intervals.")
    private int trials = 1000;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "S",
            description = "Chooses the failures (default: ${DEFAULT-VALUE}); the same seed gives the same result.")
    private long seed = 1;

    /** The simulation, or empty if some options are invalid. */
    Optional<Simulation> simulation(List<String> errors) {
        int before = errors.size();
        Optional<ClusterLayout> layout = cluster.layout(errors);
        int pes = cluster.knownPes();
        if (replication != null && (replication < 1 || (pes > 0 && replication > pes))) {
            errors.add(
                    "--replication must be in 1.." + (pes > 0 ? pes + ", the number of ranks" : "P")
                            + ": --replication="
                            + replication);
        }
        if (unit == FailureUnit.RACK && cluster.nodesPerRack == null) {
            errors.add("--fail=rack needs --nodes-per-rack");
        }
        ClusterOptions.require("--ring-points", ringPoints, MAX_RING_POINTS, errors);
        ClusterOptions.require("--trials", trials, MAX_TRIALS, errors);
        int units = layout.map(known -> known.count(unit)).orElse(ClusterLayout.MAX_PES);
        ClusterOptions.require("--failures", failures, units, errors);
        ClusterOptions.require("--replenish-after", replenishAfter, units, errors);
        if (errors.size() > before || layout.isEmpty() || replication == null) {
            return Optional.empty();
        }
        return Optional.of(new Simulation(layout.get(), unit, replication, maxFailures(units),
                replenishAfter == null ? 0 : replenishAfter, ringPoints, trials, seed));
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

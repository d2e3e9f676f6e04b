package org.restorej.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.PictureFile;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.Redundancy;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code plan}: which replication level, or which code, a cluster needs. */
@Command(name = "plan", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, sortOptions = false,
        description = "What replication levels and erasure codes cost in memory, and which failures they survive.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:planned", "2:wrong options"},
        footer = {
                "%nExamples:",
                "  restore plan --pes 24576 --ranks-per-node 48 --bytes-per-pe 16MiB --replication 2..6 "
                        + "--mtbf-node 5y --hours 24",
                "  restore plan --pes 480 --bytes-per-pe 1GiB --replication 3 --coded 8+2,4+2",
                "  restore plan --pes 192 --ranks-per-node 48 --bytes-per-pe 1GiB --mtbf-node 1y --hours 24 "
                        + "--disk-speed 2GB --shared-speed 20GB",
                "  restore plan --pes 1536 --ranks-per-node 48 --bytes-per-pe 1GiB --plot risk.svg"})
public final class PlanCommand implements Callable<Integer> {
    private static final String PLOT = "--plot";
    private static final String DISK_SPEED = "--disk-speed";
    private static final String SHARED_SPEED = "--shared-speed";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--bytes-per-pe", required = true, paramLabel = "SIZE",
            description = "Data of one rank before replication: a number and B, kB, MB, GB, TB, KiB, MiB, GiB or TiB.")
    private @Nullable String bytesPerPe;

    @Option(names = "--replication", defaultValue = "2..4", paramLabel = "LEVELS",
            description = "As in 3, 2..6 or 2,4 (default: ${DEFAULT-VALUE}, or up to P when that is less).")
    private String replication = "2..4";

    @Option(names = "--coded", paramLabel = "CODES",
            description = "Erasure codes beside them: data and parity parts, as in 8+2 or 4+2,8+2.")
    private @Nullable String coded;

    @Option(names = "--mtbf-node", paramLabel = "TIME",
            description = "Mean time between failures of one node: a number and s, min, h, d, w or y.")
    private @Nullable String mtbfNode;

    @Option(names = "--hours", paramLabel = "N", description = "How long the run takes; needs --mtbf-node.")
    private @Nullable Double hours;

    @Option(names = DISK_SPEED, paramLabel = "SIZE",
            description = "Bytes that one node's own disk takes in a second: checkpoints of a loop are planned there, at "
                    + "Daly's interval; needs --mtbf-node.")
    private @Nullable String diskSpeed;

    @Option(names = SHARED_SPEED, paramLabel = "SIZE",
            description = "The same for the file system that all nodes share, for all of them together.")
    private @Nullable String sharedSpeed;

    @Option(names = PLOT, paramLabel = "FILE",
            description = "Draws the probability of loss over the number of failed nodes, or of ranks that have one "
                    + "each, to this file (.svg or .png).")
    private @Nullable Path plot;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        Optional<ClusterLayout> layout = cluster.layout(errors);
        OptionalDouble bytes = bytesPerPe == null
                ? OptionalDouble.empty()
                : Units.BYTES.parse("--bytes-per-pe", bytesPerPe, errors);
        if (bytes.isPresent() && bytes.getAsDouble() < 1) {
            errors.add("--bytes-per-pe must be at least 1 byte: --bytes-per-pe=" + bytesPerPe);
        }
        List<Redundancy> levels = new ArrayList<>();
        ReplicationLevels.parse(levelsAsked(), cluster.knownPes(), errors)
                .forEach(level -> levels.add(Redundancy.copies(level)));
        if (coded != null) {
            levels.addAll(Redundancy.codes(coded, cluster.knownPes(), errors));
        }
        Optional<Mission> mission = mission(errors);
        OptionalDouble toDisk = speed(DISK_SPEED, diskSpeed, errors);
        if (toDisk.isPresent() && layout.isPresent() && layout.get().count(FailureUnit.NODE) < 2) {
            errors.add(DISK_SPEED + " needs at least 2 nodes, since one holds what another one loses: nodes=1");
        }
        OptionalDouble toShared = speed(SHARED_SPEED, sharedSpeed, errors);
        PictureFile.check(PLOT, plot, errors);
        if (!errors.isEmpty() || layout.isEmpty() || bytes.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        List<FileLevel> files = new ArrayList<>();
        mission.ifPresent(run -> {
            toDisk.ifPresent(speed -> files.add(FileLevel.ofNodes(layout.get(), bytes.getAsDouble(), run, speed)));
            toShared.ifPresent(speed -> files.add(FileLevel.shared(layout.get(), bytes.getAsDouble(), run, speed)));
        });
        RiskPlan plan = RiskPlan.of(layout.get(), (long) bytes.getAsDouble(), mission, levels, files);
        spec.commandLine().getOut().print(json ? PlanJson.of(plan) : PlanText.of(plan));
        spec.commandLine().getOut().flush();
        if (plot != null) {
            PictureFile.write(PLOT, plot, RiskChart.of(plan));
        }
        return ExitCode.OK;
    }

    /** The replication levels to plan; the default is limited by the number of ranks. */
    private String levelsAsked() {
        boolean given = spec.commandLine().getParseResult().hasMatchedOption("--replication");
        int pes = cluster.knownPes();
        if (given || pes == 0 || pes >= 4) {
            return replication;
        }
        return pes == 1 ? "1" : "2.." + pes;
    }

    private OptionalDouble speed(String option, @Nullable String given, List<String> errors) {
        if (given == null) {
            return OptionalDouble.empty();
        }
        if (mtbfNode == null) {
            errors.add(option + " needs --mtbf-node and --hours: the interval depends on how often nodes fail");
        }
        return Units.BYTES.parse(option, given, errors);
    }

    private Optional<Mission> mission(List<String> errors) {
        List<String> mistakes = new ArrayList<>();
        if (hours != null && !(hours > 0 && Double.isFinite(hours))) {
            mistakes.add("--hours must be more than 0: --hours=" + hours);
        }
        if ((hours == null) != (mtbfNode == null)) {
            mistakes.add("--mtbf-node and --hours must be given together: only "
                    + (hours == null ? "--mtbf-node" : "--hours") + " is");
        }
        OptionalDouble mtbf = mtbfNode == null
                ? OptionalDouble.empty()
                : Units.HOURS.parse("--mtbf-node", mtbfNode, mistakes);
        errors.addAll(mistakes);
        return mistakes.isEmpty() && hours != null && mtbf.isPresent()
                ? Optional.of(new Mission(mtbf.getAsDouble(), hours))
                : Optional.empty();
    }
}

package org.restorej.demo.kmeans;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.demo.command.DistributedRun;
import org.restorej.demo.command.DrillReport;
import org.restorej.demo.command.ProgressDisplay;
import org.restorej.demo.command.RunOptions;
import org.restorej.demo.command.RunPlan;
import org.restorej.demo.command.TextParts;
import org.restorej.demo.run.DrillOutcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** k-means, spread over PEs, some of which fail in the middle. */
@Command(name = "kmeans", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, sortOptions = false,
        description = "k-means of random points spread over PEs, some of which fail in the middle, and what the store "
                + "and the failures cost, compared with the same run without them.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the clustering is that of a run without failures", "1:it isn't, or points are lost",
                "2:wrong options"},
        footer = {"%nExamples:", "  restore demo kmeans --points 100000 --clusters 20",
                "  restore demo kmeans --pes 4 --fail 1@3 --json",
                "  restore demo kmeans --pes 8 --coded 4+2 --fail 2@5,6@5",
                "  restore demo kmeans --pes 8 --fail 2@5,6@12 --picture kmeans.svg"})
public final class KMeansCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Option(names = "--points", paramLabel = "N", defaultValue = "65536",
            description = "Number of points (default: ${DEFAULT-VALUE}).")
    private long points = 65_536;

    @Option(names = "--dimensions", paramLabel = "D", defaultValue = "32",
            description = "Coordinates of a point (default: ${DEFAULT-VALUE}).")
    private int dimensions = 32;

    @Option(names = "--clusters", paramLabel = "N", defaultValue = "20",
            description = "Number of clusters (default: ${DEFAULT-VALUE}).")
    private int clusters = 20;

    @Option(names = "--iterations", paramLabel = "N", defaultValue = "20",
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int iterations = 20;

    @Mixin
    private final RunOptions run = new RunOptions();

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        checkSizes(errors);
        RunPlan plan = RunPlan.of(run, iterations, iterations, errors);
        if (!errors.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        KMeansSettings settings = new KMeansSettings(new PointCloud(points, dimensions, clusters, run.seed()),
                clusters, iterations, plan.redundancy(), plan.failures());
        DrillReport<Clustering> report = new DrillReport<>(plan, String.format(Locale.ROOT,
                "%d points of %d dimensions, %d clusters, %d iterations", points, dimensions, clusters, iterations),
                this::putInput, KMeansCommand::lines, KMeansCommand::putResult);
        return new DistributedRun<DrillOutcome<Clustering>>(plan,
                new ProgressDisplay.Shown("kmeans", iterations, false, "inertia %.3f"),
                (world, progress) -> new KMeans(world, settings, progress),
                outcome -> report.write(outcome, spec), DrillOutcome::exitCode).run(spec);
    }

    private void checkSizes(List<String> errors) {
        RunPlan.requireAtLeast(1, "--points", points, errors);
        RunPlan.requireAtLeast(1, "--dimensions", dimensions, errors);
        RunPlan.requireAtLeast(1, "--iterations", iterations, errors);
        if (points >= 1 && dimensions >= 1 && points > Integer.MAX_VALUE / dimensions) {
            errors.add("--points times --dimensions must be at most " + Integer.MAX_VALUE
                    + ", since the last PE alive has them all in one array: --points=" + points + ", --dimensions="
                    + dimensions);
        }
        if (clusters < 1 || clusters > points) {
            errors.add("--clusters must be in 1.." + points + ", the number of points: --clusters=" + clusters);
        }
    }

    private void putInput(ObjectNode root) {
        root.put("program", "kmeans");
        root.put("points", points);
        root.put("dimensions", dimensions);
        root.put("clusters", clusters);
        root.put("iterations", iterations);
        root.put("seed", run.seed());
    }

    private static String lines(Clustering clustering) {
        return TextParts.fact("inertia", String.format(Locale.ROOT, "%.6f", clustering.inertia()))
                + TextParts.fact("cluster sizes", Arrays.toString(clustering.sizes()));
    }

    private static void putResult(ObjectNode root, Clustering clustering) {
        root.put("inertia", clustering.inertia());
        root.put("assignmentHash", Long.toHexString(clustering.assignmentHash()));
        ArrayNode sizes = root.putArray("clusterSizes");
        Arrays.stream(clustering.sizes()).forEach(sizes::add);
    }
}

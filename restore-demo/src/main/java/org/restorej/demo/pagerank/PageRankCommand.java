package org.restorej.demo.pagerank;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.OutputPath;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.UnwritableFileException;
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

/** PageRank, its edges spread over PEs, some of which fail in the middle. */
@Command(name = "pagerank", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        sortOptions = false,
        description = "PageRank of a graph whose edges are spread over PEs, some of which fail in the middle, and what "
                + "the store and the failures cost, compared with the same run without them.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the ranks are those of a run without failures", "1:they aren't, or edges are lost",
                "2:wrong options or input"},
        footer = {"%nExamples:", "  restore demo pagerank --vertices 1000",
                "  restore demo pagerank --graph edges.txt --ranks ranks.txt",
                "  restore demo pagerank --pes 8 --fail 2@20,6@60 --picture pagerank.svg"})
public final class PageRankCommand implements Callable<Integer> {
    private static final String RANKS = "--ranks";
    private static final int TOP = 10;
    private static final int DEFAULT_VERTICES = 10_000;
    private static final int EDGES_PER_VERTEX = 20;
    private static final long MOST_EDGES = Integer.MAX_VALUE / 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Option(names = "--graph", paramLabel = "FILE",
            description = "An edge on each line: two names of vertices. Lines that begin with # or %% are left out "
                    + "(default: a random graph).")
    private @Nullable Path graph;

    @Option(names = "--vertices", paramLabel = "N", description = "Vertices of the random graph (default: 10000).")
    private @Nullable Integer vertices;

    @Option(names = "--edges", paramLabel = "N",
            description = "Edges of the random graph (default: 20 for each vertex).")
    private @Nullable Long edges;

    @Option(names = "--damping", paramLabel = "D", defaultValue = "0.85",
            description = "Part of a rank that flows along edges (default: ${DEFAULT-VALUE}).")
    private double damping = 0.85;

    @Option(names = "--iterations", paramLabel = "N", defaultValue = "100",
            description = "How many (default: ${DEFAULT-VALUE}).")
    private int iterations = 100;

    @Option(names = RANKS, paramLabel = "FILE",
            description = "Writes each vertex and its rank to this file, a line each.")
    private @Nullable Path ranks;

    @Mixin
    private final RunOptions run = new RunOptions();

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        Graph input = checkedGraph(errors);
        RunPlan.requireAtLeast(1, "--iterations", iterations, errors);
        if (!(damping >= 0 && damping < 1)) {
            errors.add("--damping must be at least 0 and less than 1: --damping=" + damping);
        }
        OutputPath.checkFile(RANKS, ranks, errors);
        RunPlan plan = RunPlan.of(run, iterations, iterations, errors);
        if (!errors.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        PageRankSettings settings = new PageRankSettings(input, damping, iterations, plan.redundancy(),
                plan.failures());
        return new DistributedRun<DrillOutcome<Ranks>>(plan,
                new ProgressDisplay.Shown("pagerank", iterations, false, "change %.2e"),
                (world, progress) -> new PageRank(world, settings, progress),
                outcome -> report(settings, plan, outcome), DrillOutcome::exitCode).run(spec);
    }

    private Graph checkedGraph(List<String> errors) {
        if (graph != null) {
            if (vertices != null || edges != null) {
                errors.add("--vertices and --edges are for the random graph, not for one from a file");
            }
            try {
                return EdgeList.parse(InputText.read("graph", graph));
            } catch (InvalidInputException wrong) {
                errors.add(String.valueOf(wrong.getMessage()));
            }
        }
        int vertexCount = vertices == null ? DEFAULT_VERTICES : vertices;
        long edgeCount = edges == null ? (long) EDGES_PER_VERTEX * vertexCount : edges;
        RunPlan.requireAtLeast(1, "--vertices", vertexCount, errors);
        RunPlan.requireAtLeast(edges == null ? Long.MIN_VALUE : 1, "--edges", edgeCount, errors);
        if (edgeCount > MOST_EDGES) {
            errors.add("--edges must be at most " + MOST_EDGES
                    + ", since the last PE alive has them all in one array: --edges=" + edgeCount);
        }
        return new RandomGraph(vertexCount, edgeCount, run.seed());
    }

    private void report(PageRankSettings settings, RunPlan plan, DrillOutcome<Ranks> outcome) {
        Graph of = settings.graph();
        String input = String.format(Locale.ROOT, "%s: %d vertices, %d edges; damping %s, %d iterations",
                of.description(), of.vertexCount(), of.edgeCount(), damping, iterations);
        new DrillReport<Ranks>(plan, input, root -> putInput(root, of), result -> lines(of, result),
                (root, result) -> putResult(root, of, result)).write(outcome, spec);
        if (ranks != null && outcome instanceof DrillOutcome.Finished<Ranks> finished) {
            writeRanks(of, finished.result(), ranks);
        }
    }

    private void putInput(ObjectNode root, Graph of) {
        root.put("program", "pagerank");
        root.put("graph", of.description());
        root.put("vertices", of.vertexCount());
        root.put("edges", of.edgeCount());
        root.put("damping", damping);
        root.put("iterations", iterations);
    }

    private static String lines(Graph of, Ranks result) {
        StringBuilder lines = new StringBuilder();
        for (int vertex : result.top(TOP)) {
            lines.append(TextParts.fact("rank of " + of.name(vertex),
                    String.format(Locale.ROOT, "%.9f", result.values()[vertex])));
        }
        return lines + TextParts.fact("last change", String.format(Locale.ROOT, "%.2e", result.change()));
    }

    private static void putResult(ObjectNode root, Graph of, Ranks result) {
        root.put("lastChange", result.change());
        ArrayNode top = root.putArray("top");
        result.top(TOP).forEach(
                vertex -> top.addObject().put("vertex", of.name(vertex)).put("rank", result.values()[vertex]));
    }

    private static void writeRanks(Graph of, Ranks result, Path file) {
        try (BufferedWriter lines = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (int vertex = 0; vertex < of.vertexCount(); vertex++) {
                lines.write(of.name(vertex) + "\t" + result.values()[vertex]);
                lines.newLine();
            }
        } catch (IOException unwritable) {
            throw new UnwritableFileException(RANKS, file, unwritable);
        }
    }
}

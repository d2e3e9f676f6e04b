package org.restorej.demo.phylo;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.OutputPath;
import org.restorej.cli.command.PictureFile;
import org.restorej.demo.phylo.alignment.Alignment;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.model.ModelParser;
import org.restorej.demo.phylo.model.ModelSpecification;
import org.restorej.demo.phylo.run.Analysis;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.RunSettings;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;

/**
 * What is to be run: options that have been checked, and input that has been read.
 *
 * @param analysis what is computed
 * @param settings how
 * @param plan the PEs and their failures
 * @param options as they were given, for what needs no more than that
 */
record PhyloRequest(Analysis analysis, RunSettings settings, RunPlan plan, PhyloOptions options) {
    private static final int DEFAULT_EVALUATIONS = 10;
    private static final int MAX_OPTIMIZATION_ROUNDS = 100;

    /** Every optimisation has these: the second one shows whether the first has converged. */
    private static final int SURE_OPTIMIZATION_ROUNDS = 2;

    /** Of branches that a tree for optimisation leaves out, a length to start from. */
    private static final double START_LENGTH = 0.1;

    /**
     * Checks options and reads the input.
     *
     * @param errors takes a message for each mistake, and may have some already
     * @return nothing when there are errors
     */
    static Optional<PhyloRequest> of(PhyloOptions options, List<String> errors) {
        int iterations = iterations(options, errors);
        RunPlan plan = RunPlan.of(options, iterations, surelyReached(options, iterations), errors);
        requireAtLeastOne("--repeat", options.repeat, errors);
        OutputPath.checkFile(PhyloOptions.SITE_VALUES, options.siteValues, errors);
        if (!PhyloJob.isDrawnElsewhere()) {
            PictureFile.check(PhyloOptions.PICTURE, options.picture, errors);
        }
        Optional<Analysis> analysis = analysis(options, errors);
        if (!errors.isEmpty() || analysis.isEmpty()) {
            return Optional.empty();
        }
        // Where bin/mpirun-java has started the job again, because of a failure in the iteration that follows.
        boolean restarted = !Objects.requireNonNullElse(System.getenv("RESTOREJ_RESTART_COUNT"), "0").equals("0");
        RunSettings settings = new RunSettings(options.mode, iterations, plan.redundancy(), plan.failures(),
                options.siteValues != null, options.picture != null, plan.kills(), restarted);
        return Optional.of(new PhyloRequest(analysis.get(), settings, plan, options));
    }

    /** What the alignment is called. */
    String alignmentSource() {
        return sourceName(options.alignment);
    }

    /** What the tree is called. */
    String treeSource() {
        return sourceName(options.tree);
    }

    private static void requireAtLeastOne(String option, int value, List<String> errors) {
        if (value < 1) {
            errors.add(option + " must be at least 1: " + option + "=" + value);
        }
    }

    private static int iterations(PhyloOptions options, List<String> errors) {
        if (options.iterations == null) {
            return options.mode == Mode.EVALUATE ? DEFAULT_EVALUATIONS : MAX_OPTIMIZATION_ROUNDS;
        }
        requireAtLeastOne("--iterations", options.iterations, errors);
        return options.iterations;
    }

    private static int surelyReached(PhyloOptions options, int iterations) {
        return options.mode == Mode.EVALUATE ? iterations : Math.min(iterations, SURE_OPTIMIZATION_ROUNDS);
    }

    private static Optional<Analysis> analysis(PhyloOptions options, List<String> errors) {
        if (options.alignment != null && options.tree == null) {
            errors.add("--tree must be given with --alignment: the built-in tree is of primates");
        }
        Optional<Tree> tree = attempt(() -> tree(options), errors);
        List<String> taxa = tree.map(Tree::taxa).orElse(List.of());
        Optional<Alignment> alignment = attempt(
                () -> AlignmentReader.parse(text("alignment", options.alignment, "primates.phy"), taxa), errors);
        Optional<ModelSpecification> model = attempt(() -> ModelParser.parse(options.model), errors);
        if (model.isPresent() && model.get().lacksAlpha() && options.mode == Mode.EVALUATE) {
            errors.add("--model must say alpha, as in +G4{0.5}, unless it is optimised: --model=" + options.model);
        }
        if (!errors.isEmpty() || alignment.isEmpty() || tree.isEmpty() || model.isEmpty()) {
            return Optional.empty();
        }
        Alignment rows = alignment.get();
        SitePatterns patterns = SitePatterns.of(rows);
        if (patterns.count() > Integer.MAX_VALUE / options.repeat) {
            errors.add("--repeat times the number of patterns must be at most " + Integer.MAX_VALUE
                    + ", since one PE has a value of each: --repeat=" + options.repeat + ", patterns="
                    + patterns.count());
        }
        return attempt(() -> tree.get().alignedTo(rows.taxa()), errors)
                .map(aligned -> new Analysis(patterns, options.repeat, aligned,
                        model.get().resolve(rows.stateFrequencies())));
    }

    private static Tree tree(PhyloOptions options) {
        InputText text = text("tree", options.tree, "primates.nwk");
        return options.mode == Mode.OPTIMIZE ? NewickParser.parse(text, START_LENGTH) : NewickParser.parse(text);
    }

    private static InputText text(String role, @Nullable Path file, String resource) {
        return file == null ? InputText.resource(PhyloRequest.class, resource) : InputText.read(role, file);
    }

    private static String sourceName(@Nullable Path file) {
        return file == null ? "primates (built in)" : file.toString();
    }

    private static <T> Optional<T> attempt(Supplier<T> reading, List<String> errors) {
        try {
            return Optional.of(reading.get());
        } catch (InvalidInputException wrong) {
            errors.add(String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }
}

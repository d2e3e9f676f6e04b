package org.restorej.demo.phylo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.InvalidInputException;
import org.restorej.demo.phylo.alignment.Alignment;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.model.ModelParser;
import org.restorej.demo.phylo.model.ModelSpecification;
import org.restorej.demo.phylo.run.Analysis;
import org.restorej.demo.phylo.run.FailureSchedule;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.phylo.run.RunSettings;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;
import org.restorej.demo.transport.LocalPes;
import org.restorej.demo.transport.Transport;

/**
 * What is to be run: options that have been checked, and input that has been read.
 *
 * @param analysis what is computed
 * @param settings how
 * @param alignmentSource what the alignment is called
 * @param treeSource what the tree is called
 * @param model as it was written
 * @param transport where the PEs are
 * @param pes how many
 * @param processesDie whether failures are to be real ones, where PEs are processes
 * @param siteValues where the log-likelihoods of sites go
 * @param output how results are written
 */
record PhyloRequest(Analysis analysis, RunSettings settings, String alignmentSource, String treeSource, String model,
        Transport transport, int pes, boolean processesDie, Optional<Path> siteValues, PhyloOptions.Output output) {
    /** Estimated with IQ-TREE from the alignment of primates. */
    static final String DEFAULT_MODEL = "GTR{6.3118,39.3022,4.0605,2.1904,42.4382}"
            + "+F{0.3241,0.3040,0.1055,0.2664}+G4{0.4333}";

    private static final int DEFAULT_EVALUATIONS = 10;
    private static final int MOST_OPTIMIZATION_ROUNDS = 100;
    private static final int DEFAULT_REPLICATION = 3;

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
        int replication = replication(options, errors);
        atLeastOne("--repeat", options.repeat, errors);
        FailureSchedule failures = failures(options, iterations, replication, errors);
        checkFolderOf(options.siteValues, errors);
        Optional<Analysis> analysis = analysis(options, errors);
        if (!errors.isEmpty() || analysis.isEmpty()) {
            return Optional.empty();
        }
        RunSettings settings = new RunSettings(options.mode, iterations, replication, failures,
                options.siteValues != null);
        return Optional.of(new PhyloRequest(analysis.get(), settings, sourceName(options.alignment),
                sourceName(options.tree), options.model, options.transport, options.pes, options.kill != null,
                Optional.ofNullable(options.siteValues), options.output));
    }

    private static int iterations(PhyloOptions options, List<String> errors) {
        if (options.iterations == null) {
            return options.mode == Mode.EVALUATE ? DEFAULT_EVALUATIONS : MOST_OPTIMIZATION_ROUNDS;
        }
        atLeastOne("--iterations", options.iterations, errors);
        return options.iterations;
    }

    private static int replication(PhyloOptions options, List<String> errors) {
        int most = options.transport == Transport.LOCAL ? LocalPes.MOST_PES : Integer.MAX_VALUE;
        if (options.pes < 1 || options.pes > most) {
            errors.add("--pes must be in 1.." + most + ": --pes=" + options.pes);
            return DEFAULT_REPLICATION;
        }
        if (options.replication == null) {
            return Math.min(DEFAULT_REPLICATION, options.pes);
        }
        if (options.replication < 1 || options.replication > options.pes) {
            errors.add("--replication must be in 1.." + options.pes + ", the number of PEs: --replication="
                    + options.replication);
        }
        return options.replication;
    }

    private static void atLeastOne(String option, int value, List<String> errors) {
        if (value < 1) {
            errors.add(option + " must be at least 1: " + option + "=" + value);
        }
    }

    private static FailureSchedule failures(PhyloOptions options, int iterations, int replication,
            List<String> errors) {
        if (Stream.of(options.fail, options.failRandom, options.kill).filter(given -> given != null).count() > 1) {
            errors.add("only one of --fail, --fail-random and --kill can be given");
        }
        FailureSchedule failures = FailureSchedule.NONE;
        if (options.fail != null) {
            failures = parsed("--fail", options.fail, options, iterations, errors);
        }
        if (options.kill != null) {
            failures = parsed("--kill", options.kill, options, iterations, errors);
        }
        if (options.failRandom != null) {
            failures = random(options, options.failRandom, iterations, errors);
        }
        boolean chosen = options.fail != null || options.kill != null || options.failRandom != null;
        return chosen || !errors.isEmpty() ? failures : standard(options, iterations, replication);
    }

    private static FailureSchedule parsed(String option, String text, PhyloOptions options, int iterations,
            List<String> errors) {
        FailureSchedule schedule = attempt(() -> FailureSchedule.parse(text), option + ": ", errors)
                .orElse(FailureSchedule.NONE);
        if (options.pes >= 1 && iterations >= 1) {
            schedule.errors(options.pes, iterations).forEach(error -> errors.add(option + ": " + error));
        }
        return schedule;
    }

    private static FailureSchedule random(PhyloOptions options, int count, int iterations, List<String> errors) {
        if (count < 0 || count >= Math.max(1, options.pes)) {
            errors.add("--fail-random must be in 0.." + Math.max(0, options.pes - 1)
                    + ", so that a PE is left: --fail-random=" + count);
        }
        return errors.isEmpty()
                ? FailureSchedule.random(count, options.seed, options.pes, surelyReached(options, iterations))
                : FailureSchedule.NONE;
    }

    /** Two PEs, one after the other, where there are as many that can be spared. */
    private static FailureSchedule standard(PhyloOptions options, int iterations, int replication) {
        int reached = surelyReached(options, iterations);
        List<FailureSchedule.Failure> failures = new ArrayList<>();
        if (replication > 1) {
            failures.add(new FailureSchedule.Failure(options.pes / 4, (reached + 2) / 3));
        }
        // With as many iterations, the replicas are made anew in between.
        if (replication > 1 && options.pes > 2 && reached > 1) {
            failures.add(new FailureSchedule.Failure(options.pes / 4 + options.pes / 2, (2 * reached + 2) / 3));
        }
        return new FailureSchedule(failures);
    }

    private static int surelyReached(PhyloOptions options, int iterations) {
        return options.mode == Mode.EVALUATE ? iterations : Math.min(iterations, SURE_OPTIMIZATION_ROUNDS);
    }

    private static void checkFolderOf(@Nullable Path file, List<String> errors) {
        if (file != null && (Files.isDirectory(file) || !Files.isWritable(file.toAbsolutePath().getParent()))) {
            errors.add("--site-values must be a file that can be written: " + file);
        }
    }

    private static Optional<Analysis> analysis(PhyloOptions options, List<String> errors) {
        if (options.alignment != null && options.tree == null) {
            errors.add("--tree must be given with --alignment: the built-in tree is of primates");
        }
        Optional<Alignment> alignment = attempt(
                () -> AlignmentReader.parse(text("alignment", options.alignment, "primates.phy")), "", errors);
        Optional<Tree> tree = attempt(() -> tree(options), "", errors);
        Optional<ModelSpecification> model = attempt(() -> ModelParser.parse(options.model), "", errors);
        if (model.isPresent() && model.get().lacksAlpha() && options.mode == Mode.EVALUATE) {
            errors.add("--model must say alpha, as in +G4{0.5}, unless it is optimised: --model=" + options.model);
        }
        if (!errors.isEmpty() || alignment.isEmpty() || tree.isEmpty() || model.isEmpty()) {
            return Optional.empty();
        }
        Alignment rows = alignment.get();
        return attempt(() -> tree.get().alignedTo(rows.taxa()), "", errors)
                .map(aligned -> new Analysis(SitePatterns.of(rows), options.repeat, aligned,
                        model.get().resolve(rows.stateFrequencies())));
    }

    private static Tree tree(PhyloOptions options) {
        InputText text = text("tree", options.tree, "primates.nwk");
        return options.mode == Mode.OPTIMIZE ? NewickParser.parse(text, START_LENGTH) : NewickParser.parse(text);
    }

    private static InputText text(String role, @Nullable Path file, String resource) {
        return file == null ? InputText.resource(resource) : InputText.read(role, file);
    }

    private static String sourceName(@Nullable Path file) {
        return file == null ? "primates (built in)" : file.toString();
    }

    private static <T> Optional<T> attempt(Supplier<T> reading, String prefix, List<String> errors) {
        try {
            return Optional.of(reading.get());
        } catch (InvalidInputException wrong) {
            errors.add(prefix + wrong.getMessage());
            return Optional.empty();
        }
    }
}

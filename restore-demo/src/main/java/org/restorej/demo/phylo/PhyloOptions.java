package org.restorej.demo.phylo;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.command.RunOptions;
import org.restorej.demo.phylo.run.Mode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code phylo} as they were given; {@link PhyloRequest} is what they mean. picocli sets the fields. */
final class PhyloOptions {
    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "evaluate",
            description = "${COMPLETION-CANDIDATES}: the log-likelihood of the fixed tree, again and again, or its "
                    + "branch lengths, and alpha where there is one, to convergence (default: ${DEFAULT-VALUE}).")
    Mode mode = Mode.EVALUATE;

    @Option(names = "--iterations", paramLabel = "N", description = "How many; when optimising, how many at most "
            + "(default: 10, when optimising 100).")
    @Nullable
    Integer iterations;

    @Option(names = "--alignment", paramLabel = "FILE",
            description = "PHYLIP or FASTA (default: mitochondrial DNA of 12 primates).")
    @Nullable
    Path alignment;

    @Option(names = "--tree", paramLabel = "FILE", description = "Newick (default: a tree of the primates).")
    @Nullable
    Path tree;

    @Option(names = "--model", paramLabel = "MODEL", defaultValue = PhyloRequest.DEFAULT_MODEL,
            description = "In IQ-TREE's notation: JC, HKY{kappa}, GTR{AC,AG,AT,CG,CT}, with +F{A,C,G,T} and "
                    + "+G4{alpha} (default: ${DEFAULT-VALUE}).")
    String model = PhyloRequest.DEFAULT_MODEL;

    @Option(names = "--repeat", paramLabel = "N", defaultValue = "1",
            description = "The alignment N times over, for size (default: ${DEFAULT-VALUE}).")
    int repeat = 1;

    @Option(names = PhyloRequest.SITE_VALUES, paramLabel = "FILE",
            description = "Writes the log-likelihood of each site to this file, a line each.")
    @Nullable
    Path siteValues;

    @Mixin
    final RunOptions run = new RunOptions();
}

package org.restorej.demo.phylo;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.phylo.run.Mode;
import org.restorej.demo.transport.Transport;
import picocli.CommandLine.Option;

/** The options of {@code phylo} as they were given; {@link PhyloRequest} is what they mean. picocli sets the fields. */
final class PhyloOptions {
    /** How results are written. */
    enum Output {
        TEXT, JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "evaluate", description = "${COMPLETION-CANDIDATES}: the log-likelihood of the fixed tree, again and again, or its "
            + "branch lengths, and alpha where there is one, to convergence (default: ${DEFAULT-VALUE}).")
    Mode mode = Mode.EVALUATE;

    @Option(names = "--iterations", paramLabel = "N", description = "How many; when optimising, how many at most "
            + "(default: 10, when optimising 100).")
    @Nullable
    Integer iterations;

    @Option(names = "--alignment", paramLabel = "FILE", description = "Relaxed PHYLIP or FASTA (default: mitochondrial DNA of 12 primates).")
    @Nullable
    Path alignment;

    @Option(names = "--tree", paramLabel = "FILE", description = "Newick (default: a tree of the primates).")
    @Nullable
    Path tree;

    @Option(names = "--model", paramLabel = "MODEL", defaultValue = PhyloRequest.DEFAULT_MODEL, description = "In IQ-TREE's notation: JC, HKY{kappa}, GTR{AC,AG,AT,CG,CT}, with +F{A,C,G,T} and "
            + "+G4{alpha} (default: ${DEFAULT-VALUE}).")
    String model = PhyloRequest.DEFAULT_MODEL;

    @Option(names = "--repeat", paramLabel = "N", defaultValue = "1", description = "The alignment N times over, for size (default: ${DEFAULT-VALUE}).")
    int repeat = 1;

    @Option(names = "--transport", paramLabel = "TRANSPORT", defaultValue = "local", description = "${COMPLETION-CANDIDATES}: PEs are threads, or processes under Open MPI "
            + "(default: ${DEFAULT-VALUE}).")
    Transport transport = Transport.LOCAL;

    @Option(names = "--pes", paramLabel = "P", defaultValue = "8", description = "Number of PEs (default: ${DEFAULT-VALUE}).")
    int pes = 8;

    @Option(names = "--replication", paramLabel = "K", description = "On how many PEs each pattern is (default: 3, or P when that is less).")
    @Nullable
    Integer replication;

    @Option(names = "--fail", paramLabel = "RANK@ITERATION[,...]", description = "Failures to simulate: ranks from 0, iterations from 1 (default: two).")
    @Nullable
    String fail;

    @Option(names = "--fail-random", paramLabel = "N", description = "So many failures, simulated; when optimising, in the first two iterations.")
    @Nullable
    Integer failRandom;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Chooses the failures of --fail-random (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Option(names = "--kill", paramLabel = "RANK@ITERATION[,...]", description = "As --fail, but processes are really killed (SIGKILL); needs --transport mpi and ULFM, "
            + "threads fail as with --fail.")
    @Nullable
    String kill;

    @Option(names = "--site-values", paramLabel = "FILE", description = "Writes the log-likelihood of each site to this file, a line each.")
    @Nullable
    Path siteValues;

    @Option(names = "--output", paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    Output output = Output.TEXT;
}

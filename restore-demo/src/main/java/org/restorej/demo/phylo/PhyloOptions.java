package org.restorej.demo.phylo;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.phylo.run.Mode;
import picocli.CommandLine.Option;

/** The options of {@code phylo} as they were given; {@link PhyloRequest} is what they mean. picocli sets the fields. */
final class PhyloOptions {
    static final String SITE_VALUES = "--site-values";
    static final String FILES = "--files";
    static final String PICTURE = "--picture";

    /** Estimated with IQ-TREE from the alignment of primates. */
    static final String DEFAULT_MODEL = "GTR{6.3118,39.3022,4.0605,2.1904,42.4382}"
            + "+F{0.3241,0.3040,0.1055,0.2664}+G4{0.4333}";

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

    @Option(names = "--model", paramLabel = "MODEL", defaultValue = DEFAULT_MODEL,
            description = "In IQ-TREE's notation: JC, HKY{kappa}, GTR{AC,AG,AT,CG,CT}, with +F{A,C,G,T} and "
                    + "+G4{alpha} (default: ${DEFAULT-VALUE}).")
    String model = DEFAULT_MODEL;

    @Option(names = "--repeat", paramLabel = "N", defaultValue = "1",
            description = "The alignment N times over, for size (default: ${DEFAULT-VALUE}).")
    int repeat = 1;

    @Option(names = SITE_VALUES, paramLabel = "FILE",
            description = "Writes the log-likelihood of each site to this file, a line each.")
    @Nullable
    Path siteValues;

    @Option(names = "--transport", paramLabel = "TRANSPORT", defaultValue = "local",
            description = "${COMPLETION-CANDIDATES}: PEs are threads, or processes under MPI "
                    + "(default: ${DEFAULT-VALUE}).")
    Transport transport = Transport.LOCAL;

    @Option(names = "--mpi", paramLabel = "NAME",
            description = "With --transport mpi: an MPI that bin/mpirun-java --help names (default: that of "
                    + "bin/mpirun-java; with --kill, ulfm).")
    @Nullable
    String mpi;

    @Option(names = "--pes", paramLabel = "P", defaultValue = "8",
            description = "Number of PEs (default: ${DEFAULT-VALUE}).")
    int pes = 8;

    @Option(names = "--replication", paramLabel = "K",
            description = "On how many PEs each block is (default: 3, or P when that is less).")
    @Nullable
    Integer replication;

    @Option(names = "--coded", paramLabel = "K+M",
            description = "Instead of --replication: blocks are coded, in K data and M parity parts, as in 4+2.")
    @Nullable
    String coded;

    @Option(names = "--fail", paramLabel = "RANK@ITERATION[,...]",
            description = "Failures to simulate: ranks from 0, iterations from 1, or none (default: two).")
    @Nullable
    String fail;

    @Option(names = "--kill", paramLabel = "RANK@ITERATION[,...]",
            description = "As --fail, but processes are really killed (SIGKILL); needs --transport mpi and ULFM, or "
                    + "--restarts, threads fail as with --fail.")
    @Nullable
    String kill;

    @Option(names = "--restarts", paramLabel = "N", defaultValue = "0",
            description = "Starts the job again when it ends by a failure, at most N times: it goes on from its files, "
                    + "those of --files or temporary ones. PEs are processes under MPI then.")
    int restarts;

    @Option(names = FILES, paramLabel = "PATH",
            description = "Saves the run in files after each iteration, and goes on from what an earlier run, of any "
                    + "number of PEs, has saved there: a folder that all PEs see, or a configuration of SCR, as for "
                    + "folders of nodes.")
    @Nullable
    Path files;

    @Option(names = "--fresh", description = "Begins at iteration 1 although there are files.")
    boolean fresh;

    @Option(names = "--json",
            description = "Writes the result for programs: one JSON object. When a process has failed, MPICH's launcher "
                    + "writes a notice of its own before it.")
    boolean json;

    @Option(names = PICTURE, paramLabel = "FILE",
            description = "Draws when PEs failed, what recovery took, and how far the run had come, to this file (.svg "
                    + "or .png).")
    @Nullable
    Path picture;
}

package org.restorej.demo.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.restorej.demo.transport.MpiCalls;
import org.restorej.demo.transport.MpiName;
import org.restorej.demo.transport.Transport;
import picocli.CommandLine.Option;

/** The options that all demos have, as they were given; {@link RunPlan} is what they mean. picocli sets the fields. */
public final class RunOptions {
    @Option(names = "--transport", paramLabel = "TRANSPORT", defaultValue = "local",
            description = "${COMPLETION-CANDIDATES}: PEs are threads, or processes under MPI "
                    + "(default: ${DEFAULT-VALUE}).")
    Transport transport = Transport.LOCAL;

    @Option(names = "--mpi", paramLabel = "NAME",
            description = "With --transport mpi: ${COMPLETION-CANDIDATES} (default: the first of these that is there; "
                    + "with --kill, ulfm).")
    @Nullable
    MpiName mpi;

    @Option(names = "--mpi-calls", paramLabel = "HOW", defaultValue = "native",
            description = "With --transport mpi: ${COMPLETION-CANDIDATES}: MPI is called by foreign functions, or by "
                    + "Open MPI's Java bindings (default: ${DEFAULT-VALUE}).")
    MpiCalls mpiCalls = MpiCalls.NATIVE;

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
            description = "Failures to simulate: ranks from 0, iterations from 1 (default: two).")
    @Nullable
    String fail;

    @Option(names = "--fail-random", paramLabel = "N",
            description = "So many failures, simulated, in iterations that are sure to come.")
    @Nullable
    Integer failRandom;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1",
            description = "Chooses the failures of --fail-random, and what else is random (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Option(names = "--kill", paramLabel = "RANK@ITERATION[,...]",
            description = "As --fail, but processes are really killed (SIGKILL); needs --transport mpi and ULFM, or "
                    + "--restarts, threads fail as with --fail.")
    @Nullable
    String kill;

    @Option(names = "--restarts", paramLabel = "N", defaultValue = "0",
            description = "Starts the job again when it ends by a failure, at most N times: it goes on from its files, "
                    + "those of --files or temporary ones. PEs are processes under MPI then.")
    int restarts;

    @Option(names = RunPlan.FILES, paramLabel = "PATH",
            description = "Saves the run in files after each iteration, and goes on from what an earlier run, of any "
                    + "number of PEs, has saved there: a folder that all PEs see, or a configuration of SCR, as for "
                    + "folders of nodes.")
    @Nullable
    Path files;

    @Option(names = "--fresh", description = "Begins at iteration 1 although there are files.")
    boolean fresh;

    @Option(names = "--output", paramLabel = "FORMAT", defaultValue = "text",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    OutputFormat output = OutputFormat.TEXT;

    @Option(names = "--json", description = "For programs: the same as --output json.")
    boolean json;

    @Option(names = RunPictureOutput.OPTION, paramLabel = "FILE",
            description = "Draws what each PE did when, and how far the run had come, to this file (.svg or .png).")
    @Nullable
    Path picture;

    /** What chance is seeded with. */
    public long seed() {
        return seed;
    }
}

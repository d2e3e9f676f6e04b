package org.restorej.bench.mpi;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.restorej.comm.mpi.Mpi;

/**
 * What each rank runs: JMH with the options on the command line, which are the same on all ranks; after {@link #NEXT},
 * JMH again with other options. The first rank tells what goes on, on standard error, and writes the results
 * ({@code -rff}).
 *
 * <p>
 * A benchmark that fails ends the job: the rank says why and exits with 1, which MPI takes for the end of all.
 */
public final class RankMain {
    /** Stands between the options of one run of JMH and those of the next. */
    public static final String NEXT = "--next";

    /** System property: a directory for the files of benchmarks. */
    public static final String DIRECTORY_PROPERTY = "restorej.bench.directory";

    private RankMain() {}

    /** Runs the benchmarks. */
    public static void main(String[] args) {
        // All ranks of a node run JMH at the same time, which it would rather not have.
        System.setProperty("jmh.ignoreLock", "true");
        RankWorld world = RankWorld.open();
        try {
            for (String[] options : runs(args)) {
                run(world, options);
            }
        } catch (RunnerException | CommandLineOptionException | RuntimeException failure) {
            report(world, failure);
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Mpi.finish(world.communicator());
    }

    private static List<String[]> runs(String[] args) {
        List<String[]> runs = new ArrayList<>();
        int first = 0;
        for (int i = 0; i <= args.length; i++) {
            if (i == args.length || args[i].equals(NEXT)) {
                runs.add(Arrays.copyOfRange(args, first, i));
                first = i + 1;
            }
        }
        return runs;
    }

    private static void run(RankWorld world, String[] args) throws RunnerException, CommandLineOptionException {
        boolean first = world.rank() == 0;
        CommandLineOptions given = new CommandLineOptions(args);
        ChainedOptionsBuilder options = new OptionsBuilder().parent(given).forks(0).shouldFailOnError(true)
                .param("pes", Integer.toString(world.size())).timeout(TimeValue.minutes(10));
        if (!first) {
            options.resultFormat(ResultFormatType.JSON).result("/dev/null");
        }
        new Runner(options.build(), output(first)).run();
    }

    private static OutputFormat output(boolean first) {
        PrintStream stream = first
                ? System.err
                : new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return OutputFormatFactory.createFormatInstance(stream, first ? VerboseMode.NORMAL : VerboseMode.SILENT);
    }

    private static void report(RankWorld world, Exception failure) {
        Throwable reason = reason(failure);
        System.err.println("rank " + world.rank() + ": " + reason);
        reason.printStackTrace();
    }

    /** JMH keeps what a benchmark has thrown among the suppressed exceptions of its own. */
    private static Throwable reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getSuppressed().length == 0 ? deepest : reason(deepest.getSuppressed()[0]);
    }
}

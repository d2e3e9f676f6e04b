package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;

/**
 * Measures warm operations: in one job for each number of ranks, and in one JVM, which forks. Not thread-safe.
 *
 * @param settings the chosen options
 * @param ranks starts ranks
 * @param jvm whether to measure operations in one JVM, too
 * @param progress receives progress messages
 */
record Suite(SuiteSettings settings, RankJobs ranks, boolean jvm, PrintStream progress) {
    private static final String OF_RANKS = "org.restorej.bench.mpi.";
    private static final String OF_ONE_JVM = "org.restorej.bench.jvm.";
    private static final int ITERATIONS = 15;
    /** Of what takes little time: so that a disturbance of some milliseconds doesn't last through most of them. */
    private static final int ITERATIONS_OF_BARRIERS = 50;
    /** Ten calls leave most of a submit to the interpreter; from about 60 on its times don't get shorter any more. */
    private static final int WARM_UP = 60;
    private static final int WARM_UP_OF_FILES = 10;
    private static final int WARM_UP_PER_ITERATION = 5;
    /** With this number of ranks a rank that fails leaves fewer than there are replicas. */
    private static final int REPLICATION = 4;
    private static final int FILE_FACTOR = 4;

    /**
     * What was measured.
     *
     * @param results all measurements
     * @param leftOut what was not measured, and why
     */
    record Outcome(List<Measurement> results, List<String> leftOut) {}

    /**
     * Measures.
     *
     * @param folder for files between
     * @throws BenchmarkFailedException when a benchmark fails, or there is none
     */
    Outcome run(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<Integer> pes = settings.pes().stream().filter(each -> !runs(each).isEmpty()).toList();
        String missing = pes.isEmpty() ? "" : ranks.missing();
        if (!missing.isEmpty()) {
            leftOut.add("what ranks do together, since MPI can't be used here: " + missing);
        } else {
            for (int each : pes) {
                progress.println("bench: " + each + " ranks");
                files.addAll(ranks.run(each, runs(each), folder));
            }
        }
        for (JmhRun run : jvm ? runsOfOneJvm() : List.<JmhRun>of()) {
            files.add(run(run, folder));
        }
        if (files.isEmpty()) {
            throw new BenchmarkFailedException(leftOut.isEmpty()
                    ? "there is no such benchmark: --only=" + settings.only()
                    : String.join("; ", leftOut));
        }
        List<Measurement> results = new ArrayList<>();
        for (Path file : files) {
            results.addAll(JmhResults.read(file));
        }
        return new Outcome(JmhResults.merge(results), leftOut);
    }

    /** What a number of ranks do; the main number of bytes comes first, since goals are for that. */
    List<JmhRun> runs(int pes) {
        String main = Long.toString(settings.mainBytes());
        List<String> bytes = new ArrayList<>(List.of(main));
        settings.bytes().reversed().stream().map(String::valueOf).filter(each -> !each.equals(main))
                .forEach(bytes::add);
        String[] all = bytes.toArray(String[]::new);
        List<JmhRun> runs = new ArrayList<>(List.of(of("Barrier", ITERATIONS_OF_BARRIERS, WARM_UP),
                of("Submit", ITERATIONS, WARM_UP).with("bytes", all),
                of("Pull", ITERATIONS, WARM_UP).with("bytes", all),
                of("Changes", ITERATIONS, WARM_UP).with("bytes", main),
                of("Loop", ITERATIONS, WARM_UP).with("bytes", main)));
        if (pes > REPLICATION) {
            runs.add(of("Replenish", ITERATIONS, WARM_UP).with("bytes", main));
        }
        if (pes > 2) {
            runs.add(of("Redset", ITERATIONS, WARM_UP_OF_FILES)
                    .with("bytes", Long.toString(FILE_FACTOR * settings.mainBytes())).with("scheme", "XOR", "RS2"));
        }
        return wanted(runs);
    }

    private JmhRun of(String benchmark, int iterations, int warmUp) {
        int measured = settings.iterations().orElse(iterations);
        return JmhRun.of(OF_RANKS + benchmark, "-i", Integer.toString(measured), "-wi",
                Integer.toString(Math.min(warmUp, WARM_UP_PER_ITERATION * measured)));
    }

    /** Of each combination of parameters half a second for the start of a JVM, and a second. */
    List<JmhRun> runsOfOneJvm() {
        return wanted(List.of(JmhRun.of(OF_ONE_JVM + "LocalExchange", "-f", "1", "-wi", "2", "-w", "150ms", "-i", "15",
                "-r", "40ms")));
    }

    private List<JmhRun> wanted(List<JmhRun> runs) {
        return runs.stream().filter(run -> settings.only().matcher(run.include()).find()).toList();
    }

    private Path run(JmhRun run, Path folder) {
        Path file = folder.resolve("jvm.json");
        try {
            CommandLineOptions given = new CommandLineOptions(run.arguments(file.toString()).toArray(String[]::new));
            OptionsBuilder options = new OptionsBuilder();
            options.parent(given).shouldFailOnError(true);
            new Runner(options.build(), OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL)).run();
            return file;
        } catch (RunnerException | CommandLineOptionException failure) {
            throw new BenchmarkFailedException("a benchmark of one JVM has failed: " + failure.getMessage(), failure);
        }
    }
}

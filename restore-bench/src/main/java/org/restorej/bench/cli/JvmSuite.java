package org.restorej.bench.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks of one JVM: all that are on the class path, but those for ranks. Forks JVMs. */
final class JvmSuite {
    private static final String FOR_RANKS = "org\\.restorej\\.bench\\.mpi\\.";
    private static final String PLACEMENT = "PlacementBenchmark";

    private final SuiteSettings settings;

    JvmSuite(SuiteSettings settings) {
        this.settings = settings;
    }

    /** What runs. The quick suite takes a second for each benchmark, and fewer of the placement, which has many. */
    List<JmhRun> runs() {
        String only = settings.only().pattern();
        if (settings.full()) {
            return List.of(JmhRun.of(only).options("-e", FOR_RANKS));
        }
        String[] quick = {"-f", "1", "-wi", "1", "-w", "200ms", "-i", "5", "-r", "100ms"};
        List<JmhRun> runs = new ArrayList<>();
        if (settings.only().matcher(PLACEMENT).find()) {
            runs.add(JmhRun.of(PLACEMENT).with("peCount", "1024", "33554432").with("replication", "4")
                    .with("permuted", "true").options(quick));
        }
        runs.add(JmhRun.of(only).options("-e", FOR_RANKS, "-e", PLACEMENT).options(quick));
        return runs;
    }

    /**
     * Runs it.
     *
     * @param folder where the results of each run go
     * @param progress what goes on
     * @return files with results
     * @throws BenchmarkFailedException when one fails
     */
    List<Path> run(Path folder, PrintStream progress) {
        List<Path> results = new ArrayList<>();
        for (JmhRun run : runs()) {
            Path file = folder.resolve("jvm-" + results.size() + ".json");
            if (run(run, file, progress)) {
                results.add(file);
            }
        }
        return results;
    }

    /** Returns whether there was anything to run. */
    private static boolean run(JmhRun run, Path file, PrintStream progress) {
        try {
            CommandLineOptions given = new CommandLineOptions(run.arguments(file.toString()).toArray(String[]::new));
            OptionsBuilder options = new OptionsBuilder();
            options.parent(given).shouldFailOnError(true).jvmArgsAppend("--enable-native-access=ALL-UNNAMED");
            new Runner(options.build(), OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL)).run();
            return true;
        } catch (NoBenchmarksException nothing) {
            return false;
        } catch (RunnerException | CommandLineOptionException failure) {
            throw new BenchmarkFailedException("a benchmark of one JVM has failed: " + failure.getMessage(), failure);
        }
    }
}

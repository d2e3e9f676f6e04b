package org.restorej.bench.cli;

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

/** The benchmarks of one JVM. Forks JVMs. */
final class JvmSuite {
    private static final String JVM = "org.restorej.bench.jvm.";
    /** Of each combination of parameters, beside half a second for the start of a JVM: about a second, and four. */
    private static final String[] QUICK = {"-f", "1", "-wi", "2", "-w", "150ms", "-i", "15", "-r", "40ms"};
    private static final String[] FULL = {"-f", "1", "-wi", "3", "-w", "400ms", "-i", "15", "-r", "200ms"};

    private final SuiteSettings settings;

    JvmSuite(SuiteSettings settings) {
        this.settings = settings;
    }

    /** What runs. The quick suite has fewer values of parameters. */
    List<JmhRun> runs() {
        JmhRun exchange = of(JVM + "LocalExchange");
        return settings.only().matcher(exchange.include()).find()
                ? List.of(settings.full() ? exchange : exchange.with("pes", "4"))
                : List.of();
    }

    private JmhRun of(String benchmark) {
        return JmhRun.of(pattern(benchmark)).options(settings.full() ? FULL : QUICK);
    }

    private static String pattern(String benchmark) {
        return benchmark.replace(".", "\\.") + "Benchmark\\.";
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
            run(run, file, progress);
            results.add(file);
        }
        return results;
    }

    private static void run(JmhRun run, Path file, PrintStream progress) {
        try {
            CommandLineOptions given = new CommandLineOptions(run.arguments(file.toString()).toArray(String[]::new));
            OptionsBuilder options = new OptionsBuilder();
            options.parent(given).shouldFailOnError(true);
            new Runner(options.build(), OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL)).run();
        } catch (RunnerException | CommandLineOptionException failure) {
            throw new BenchmarkFailedException("a benchmark of one JVM has failed: " + failure.getMessage(), failure);
        }
    }
}

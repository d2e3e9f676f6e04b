package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.c.ScratchFolder;
import org.restorej.bench.report.MachineFacts;
import org.restorej.bench.report.MarkdownReport;
import org.restorej.bench.report.ReportPlots;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.cli.command.AddedCommand;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.OutputPath;
import org.restorej.cli.command.ProjectFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures, reports, and compares with before. Exit codes: 0 done; 1 a benchmark has failed, or there is nothing to
 * measure; 2 wrong usage; 3 something became slower beyond the spread.
 */
@Command(name = "bench", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Measures on this machine what the library does, and its rivals, and writes a report with plots.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:done", "1:a benchmark failed, also by moving a wrong byte, or there is nothing to measure",
                "2:wrong options",
                "3:something became slower than in --compare, beyond the spread"},
        footer = {
                "%nWrites results.json (as JMH does, with fewer fields), report.md and plots/ to the directory of --out.",
                "%nExamples:",
                "  restore bench --out results", "  restore bench --compare results/results.json",
                "  restore bench --life --out life"})
public final class BenchCommand implements AddedCommand {
    /** Something became slower. */
    public static final int SLOWER = 3;

    private static final String RESULTS = "results.json";
    private static final String REPORT = "report.md";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final BenchOptions options = new BenchOptions();

    @Option(names = "--out", paramLabel = "DIR",
            description = "Where results go (default: bench- and the time, in the working directory).")
    private @Nullable Path out;

    @Option(names = "--compare", paramLabel = "OLD.json",
            description = "Results of before: says what became slower beyond the spread.")
    private @Nullable Path compare;

    @Option(names = "--results", paramLabel = "FILE.json", description = "Measures nothing, and reports these results.")
    private @Nullable Path results;

    @Override
    public Integer call() throws IOException {
        List<String> errors = CommandErrors.ofParsing(spec);
        SuiteSettings settings = options.settings(errors);
        if (out != null && !OutputPath.canBeDirectory(out)) {
            errors.add("--out must be a directory, or one that can be made: --out=" + out);
        }
        Optional<LifeSettings> life = errors.isEmpty() ? options.life(settings, errors) : Optional.empty();
        Optional<List<Measurement>> before = read("--compare", compare, errors);
        Optional<List<Measurement>> given = read("--results", results, errors);
        if (!errors.isEmpty()) {
            return refuse(errors, ExitCode.USAGE);
        }
        Path folder = Files.createDirectories(out == null ? Path.of(nameFromTime()) : out);
        Suite.Outcome outcome;
        try {
            outcome = given.isPresent()
                    ? new Suite.Outcome(given.get(), List.of())
                    : measure(settings, life, folder);
        } catch (BenchmarkFailedException failure) {
            return refuse(List.of(String.valueOf(failure.getMessage())), ExitCode.SOFTWARE);
        }
        outcome.leftOut().forEach(what -> refuse(List.of("################ NOT MEASURED: " + what), ExitCode.OK));
        return report(folder, outcome, before);
    }

    private int refuse(List<String> messages, int exitCode) {
        PrintWriter errors = spec.commandLine().getErr();
        messages.forEach(message -> errors.println("bench: " + message.strip().replaceAll("\\s*\\R\\s*", " ")));
        errors.flush();
        return exitCode;
    }

    private static Optional<List<Measurement>> read(String option, @Nullable Path file, List<String> errors) {
        if (file == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JmhResults.read(file));
        } catch (IOException unreadable) {
            errors.add(option + ": " + unreadable.getMessage());
            return Optional.empty();
        }
    }

    private static String nameFromTime() {
        return "bench-" + DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
                .format(LocalDateTime.now(ZoneId.systemDefault()));
    }

    private Suite.Outcome measure(SuiteSettings settings, Optional<LifeSettings> life, Path folder)
            throws IOException {
        try (ScratchFolder between = ScratchFolder.in(options.directoryBetween())) {
            RankJobs jobs = new RankJobs(root(), System.getProperty("java.class.path"), options.directory(),
                    options.oneRankPerCore());
            Suite.Outcome outcome = life.isPresent()
                    ? new LifeSuite(life.get(), jobs, System.err, between.path()).run()
                    : new Suite(settings, jobs, options.jvm(), System.err).run(between.path());
            JmhResults.write(folder.resolve(RESULTS), outcome.results());
            return outcome;
        }
    }

    private static Path root() {
        return ProjectFolder.find().orElse(Path.of("")).toAbsolutePath();
    }

    private int report(Path folder, Suite.Outcome outcome, Optional<List<Measurement>> before) throws IOException {
        Optional<Comparison> comparison = before.map(old -> Comparison.of(old, outcome.results()));
        List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        words.remove(spec.name());
        MachineFacts facts = MachineFacts.ofThisMachine(root()).with("command",
                ("bin/bench " + String.join(" ", words)).strip());
        MarkdownReport report = new MarkdownReport(facts, outcome.results(), comparison,
                outcome.leftOut(), new ReportPlots(outcome.results()).write(folder));
        Files.writeString(folder.resolve(REPORT), report.text());
        PrintWriter output = spec.commandLine().getOut();
        output.println(folder.resolve(REPORT));
        List<String> slower = comparison.map(MarkdownReport::slowerLines).orElse(List.of());
        slower.forEach(output::println);
        output.flush();
        return slower.isEmpty() ? ExitCode.OK : SLOWER;
    }
}

package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.restorej.bench.kernel.MeasurableKernels;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.cli.command.Redundancy;
import org.restorej.testing.Deep;
import picocli.CommandLine;

class BenchCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private record Run(int exitCode, String output, String errors) {
        static Run of(String... arguments) {
            StringWriter output = new StringWriter();
            StringWriter errors = new StringWriter();
            CommandLine command = new CommandLine(new BenchCommand());
            command.setOut(new PrintWriter(output, true));
            command.setErr(new PrintWriter(errors, true));
            command.getCommandSpec().parser().collectErrors(true);
            return new Run(command.execute(arguments), output.toString(), errors.toString());
        }
    }

    private String results(String name, String times) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, """
                [{"benchmark": "org.restorej.bench.mpi.SubmitBenchmark.run", "params": {"pes": "4"},
                  "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[%s]]}}]
                """.formatted(times));
        return file.toString();
    }

    @Test
    void saysEverythingThatIsWrongAtOnce() {
        Run run = Run.of("--pes", "0,x", "--bytes", "1MB", "--iterations", "0", "--only", "(", "--no-jvm", "--no-mpi",
                "--directory", "/nowhere", "--compare", "/nowhere/old.json", "--transport", "carrier-pigeon",
                "--colour");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals("", run.output());
        List<String> lines = run.errors().lines().toList();
        assertTrue(lines.stream().allMatch(line -> line.startsWith("bench: ")), run::toString);
        for (String option : List.of("--pes", "--bytes", "--iterations", "--only", "--no-jvm", "--directory",
                "--compare", "--colour", "--transport must be native, bindings or both: --transport=carrier-pigeon")) {
            assertTrue(lines.stream().anyMatch(line -> line.contains(option)), option + ": " + run);
        }
    }

    @Test
    void refusesALifeOfNoJobsAndOneOfTheSuite() {
        Run run = Run.of("--life=0", "--full");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals(List.of("bench: --life must be at least 1: --life=0",
                "bench: --life goes with neither --full nor --no-mpi"), run.errors().lines().toList());
    }

    @Test
    void refusesCodesThatNoNumberOfRanksHasPesForAndCodesOfTheSuite() {
        Run run = Run.of("--life", "--pes", "2,4", "--coded");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals(List.of("bench: --coded must have at most 4 parts together, the number of PEs: --coded=4+2"),
                run.errors().lines().toList());
        Run ofSuite = Run.of("--coded", "2+1");
        assertEquals(2, ofSuite.exitCode(), ofSuite::toString);
        assertEquals(List.of("bench: --coded goes with --life only: --coded=2+1"), ofSuite.errors().lines().toList());
    }

    @Test
    void measuresCodesWhereTheyHaveEnoughRanksAndOnlyJobsOfTheNamesAskedFor() {
        Redundancy small = new Redundancy(2, 1, true);
        Redundancy large = new Redundancy(4, 2, true);
        LifeSettings settings = new LifeSettings(1, List.of(4, 8), 64, 3, List.of(MpiTransport.NATIVE),
                Optional.empty(), Optional.empty(), List.of(small, large), Pattern.compile("Coded|redset"));
        assertEquals(List.of(), settings.codesOn(2));
        assertEquals(List.of(small), settings.codesOn(3));
        assertEquals(List.of(small, large), settings.codesOn(6));
        assertEquals(List.of(true, true, false),
                Stream.of("CodedLife", "redset", "JobLife").map(settings::isWanted).toList());
    }

    @ParameterizedTest
    @CsvSource({"--cpp, restore/core.hpp", "--redset, include/redset.h"})
    void refusesAFolderWithoutTheHeadersOfARival(String option, String header) throws IOException {
        Run run = Run.of("--life", option, folder.toString());
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals(
                List.of("bench: " + option + " must be a folder that has " + header + ": " + option + "=" + folder),
                run.errors().lines().toList());
        Path there = folder.resolve(header);
        Files.createDirectory(Objects.requireNonNull(there.getParent()));
        Files.writeString(there, "");
        Run ofSuite = Run.of(option, folder.toString());
        assertEquals(2, ofSuite.exitCode(), ofSuite::toString);
        assertEquals(List.of("bench: " + option + " goes with --life only: " + option + "=" + folder),
                ofSuite.errors().lines().toList());
    }

    @Test
    void refusesPlansForFewPesAndBesideTheSuite() {
        Run run = Run.of("--scale", "--pes", "8,2000", "--iterations", "3");
        assertEquals(2, run.exitCode(), run::toString);
        assertEquals(List.of("bench: --scale goes with none of --only, --full, --life, --bytes and --iterations",
                "bench: --pes must be at least 1000 with --scale: --pes=8,2000"), run.errors().lines().toList());
    }

    @Deep
    @Test
    void measuresWhatOnePeOfAThousandPlansAlone() throws IOException {
        Path out = folder.resolve("out");
        Run run = Run.of("--scale", "--pes", "1000", "--out", out.toString());
        assertEquals(0, run.exitCode(), run::toString);
        String report = Files.readString(out.resolve("report.md"));
        for (String plan : List.of("submit", "pullShare", "pushShare", "replenish", "balanceLaterDeath", "risk")) {
            assertTrue(report.contains("\n### PlanScale." + plan + "\n"), plan + ": " + report);
        }
    }

    @Test
    void comparesTransportsForTwoSettingsOfTheJvmAndByTurns() {
        LifeSettings both = new LifeSettings(2, List.of(4), 64, 3, List.of(MpiTransport.values()), Optional.empty(),
                Optional.empty(), List.of(), Pattern.compile(""));
        assertEquals(List.of(JvmSetting.DEFAULT, JvmSetting.PLAIN), both.jvmSettings(0));
        assertEquals(List.of(JvmSetting.PLAIN, JvmSetting.DEFAULT), both.jvmSettings(1));
        assertEquals(List.of(MpiTransport.NATIVE, MpiTransport.BINDINGS), both.transports(0));
        assertEquals(List.of(MpiTransport.BINDINGS, MpiTransport.NATIVE), both.transports(1));
        LifeSettings one = new LifeSettings(2, List.of(4), 64, 3, List.of(MpiTransport.BINDINGS), Optional.empty(),
                Optional.empty(), List.of(), Pattern.compile(""));
        assertEquals(List.of(JvmSetting.values()), one.jvmSettings(0));
    }

    @Test
    void nbxInCIsMeasuredWhereItCouldBeCompiled() {
        SuiteSettings sparse = settings(false, "Sparse");
        assertEquals(List.of("nbx", "nbx-c", "alltoallv"), methods(new CollectiveSuite(sparse, true)));
        assertEquals(List.of("nbx", "alltoallv"), methods(new CollectiveSuite(sparse)));
    }

    private static List<String> methods(CollectiveSuite suite) {
        return Objects.requireNonNull(suite.jobs().getFirst().runs().getFirst().params().get("method"));
    }

    @Test
    void reportsOlderResultsAndComparesThem() throws IOException {
        String before = results("before.json", "1.0, 1.1, 1.2");
        Path out = folder.resolve("out");
        Run same = Run.of("--results", before, "--compare", before, "--out", out.toString());
        assertEquals(0, same.exitCode(), same::toString);
        assertTrue(Files.readString(out.resolve("report.md")).contains("1 of 1 are the same"), same::toString);
        Run slower = Run.of("--results", results("now.json", "2.0, 2.1, 2.2"), "--compare", before, "--out",
                out.toString());
        assertEquals(BenchCommand.SLOWER, slower.exitCode(), slower::toString);
        assertTrue(slower.output().contains("Submit (pes=4)"), slower::toString);
    }

    @Test
    void failsWhereThereIsNothingToMeasure() {
        Run run = Run.of("--no-mpi", "--only", "NoSuchThing", "--out", folder.resolve("out").toString());
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("--only=NoSuchThing"), run::toString);
    }

    @Test
    void measuresEverythingAtFourRanksAndOnlyTheMainThingsAtOthers() {
        SuiteSettings settings = new SuiteSettings(false, List.of(2, 4, 8), List.of(1L << 20, 16L << 20),
                OptionalInt.empty(), Pattern.compile(".*"));
        List<MpiJob> jobs = new CollectiveSuite(settings).jobs();
        assertEquals(List.of(2, 4, 8, 4, 4, 4, 4), jobs.stream().map(MpiJob::pes).toList());
        assertTrue(jobs.get(0).runs().size() < jobs.get(1).runs().size());
        for (MpiJob job : jobs) {
            assertTrue(job.runs().getFirst().include().contains("FirstPull"), "nothing may come before it");
        }
        SuiteSettings some = new SuiteSettings(false, List.of(3), List.of(64L), OptionalInt.of(1),
                Pattern.compile("Submit"));
        assertEquals(1, new CollectiveSuite(some).jobs().size());
    }

    private static SuiteSettings settings(boolean full, String only) {
        return new SuiteSettings(full, List.of(2, 4, 8), List.of(16L << 20), OptionalInt.empty(),
                Pattern.compile(only));
    }

    @Test
    void fewMeasurementsTakeAShortWarmUp() {
        assertEquals(1200, settings(false, "").warmUpMillis());
        assertEquals(3000, settings(true, "").warmUpMillis());
        assertEquals(100, new SuiteSettings(true, List.of(4), List.of(64L), OptionalInt.of(1), Pattern.compile(""))
                .warmUpMillis());
    }

    @Test
    void kernelsThatAreAbsentAreLeftOutWithTheReason() {
        JvmSuite suite = new JvmSuite(settings(false, "Kernel|Isal"),
                new MeasurableKernels(List.of("scalar", "swar"), Optional.of("no libisal.so.2")));
        assertEquals(1, suite.runs().size());
        assertEquals(List.of("scalar", "swar"), suite.runs().getFirst().params().get("kernel"));
        assertEquals(List.of("ISA-L from Java against ISA-L from C: no libisal.so.2"), suite.leftOut());
        assertEquals(List.of(), new JvmSuite(settings(false, "Placement"),
                new MeasurableKernels(List.of("scalar", "swar"), Optional.of("no libisal.so.2"))).leftOut());
    }

    @Test
    void everyBenchmarkOfOneJvmIsInTheSuite() {
        List<JmhRun> runs = new JvmSuite(settings(true, ""), new MeasurableKernels(List.of("swar"), Optional.empty()))
                .runs();
        Set<String> listed = BenchmarkList.defaultList().getAll(OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT), List.of("bench\\.mpi\\."))
                .stream()
                .map(BenchmarkListEntry::getUsername).collect(Collectors.toSet());
        assertFalse(listed.isEmpty());
        for (String name : listed) {
            assertEquals(1, runs.stream().filter(run -> Pattern.compile(run.include()).matcher(name).find()).count(),
                    name);
        }
    }
}

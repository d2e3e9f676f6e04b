package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.mpi.BackgroundLife;
import org.restorej.bench.mpi.CodedLife;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import picocli.CommandLine;

/** The command from its options to its exit code, with ranks that really measure something. */
class BenchCommandIT {
    private static final String CLASS_PATH = "java.class.path";

    @TempDir
    private Path folder = Path.of("");

    private final String classPath = System.getProperty(CLASS_PATH);

    /** The command hands its own class path on to ranks, for whom the signatures of the bindings are in the way. */
    @BeforeEach
    void hidesTheSignaturesOfTheBindings() {
        System.setProperty(CLASS_PATH, ProjectFiles.classPath());
    }

    @AfterEach
    void showsThemAgain() {
        System.setProperty(CLASS_PATH, classPath);
    }

    private Path older(String name, double millis) throws IOException {
        return Files.writeString(folder.resolve(name), """
                [{"benchmark": "org.restorej.bench.mpi.BarrierBenchmark.run", "params": {"pes": "2"},
                  "primaryMetric": {"scoreUnit": "ms/op", "rawData": [[%s, %s, %s]]}}]
                """.formatted(millis, millis, millis));
    }

    private static int run(StringWriter output, String... arguments) {
        CommandLine command = new CommandLine(new BenchCommand()).setOut(new PrintWriter(output, true));
        command.getCommandSpec().parser().collectErrors(true);
        return command.execute(arguments);
    }

    @Test
    void measuresAndSaysWhatBecameSlowerThanInOlderResults() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path out = folder.resolve("out");
        StringWriter output = new StringWriter();
        int exitCode = run(output, "--no-jvm", "--only", "Barrier", "--pes", "2", "--iterations", "3", "--out",
                out.toString(), "--compare", older("fast.json", 1e-9).toString());
        assertEquals(BenchCommand.SLOWER, exitCode, output::toString);
        assertTrue(output.toString().contains("Barrier (pes=2, transport=native)"), output::toString);
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("## Against older results"), report);
        assertTrue(report.contains("### Barrier"), report);
        Path measured = out.resolve("results.json");
        assertEquals(0, run(output, "--results", measured.toString(), "--compare", older("slow.json", 1e9).toString(),
                "--out", out.toString()), output::toString);
        assertTrue(Files.readString(out.resolve("report.md")).contains("| faster "), output::toString);
    }

    @Deep
    @Test
    void measuresTheLifeOfJobsWithEachSettingOfTheJvm() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path out = folder.resolve("out");
        StringWriter output = new StringWriter();
        assertEquals(0, run(output, "--life", "1", "--pes", "2", "--bytes", "64KiB", "--iterations", "21", "--out",
                out.toString()), output::toString);
        List<Measurement> measurements = JmhResults.read(out.resolve("results.json")).measurements();
        for (JvmSetting setting : JvmSetting.values()) {
            List<Measurement> life = measurements.stream()
                    .filter(each -> each.key().param(JobLife.SETTING).equals(setting.text()))
                    // Between nodes, where there can be some.
                    .filter(each -> !each.key().param(BackgroundLife.LATE).equals("0")).toList();
            int schemes = setting == JvmSetting.DEFAULT ? 3 : setting == JvmSetting.PLAIN ? 1 : 0;
            assertEquals(2 + 4 * 2 * 3 + schemes * 3 * 3 + (setting.isMain() ? 2 + 6 + 4 : 0), life.size(),
                    "from main, build, three operations, their wire limits, NBX, NBX in C, files, a recovery, what is "
                            + "noticed of a submit in the background and its longest step: " + life);
            for (Measurement each : life) {
                assertEquals("2", each.key().param("pes"), "as mpirun says: " + each);
                assertTrue(each.least() > 0, each::toString);
            }
        }
        String report = Files.readString(out.resolve("report.md"));
        for (String rivals : List.of("| by lower bound (C) | by lower bound (C), shared memory | by wire |",
                "| by nbx-c |", "**Not measured**: redset, beside protected files: ")) {
            assertTrue(report.contains(rivals), () -> rivals + " in " + report);
        }
    }

    @Deep
    @Test
    void measuresCodedStoresBesideCopiesInOneJob() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path out = folder.resolve("out");
        StringWriter output = new StringWriter();
        assertEquals(0, run(output, "--life", "1", "--coded", "4+2", "--only", "CodedLife", "--pes", "6",
                "--bytes", "512KiB", "--iterations", "3", "--out", out.toString()), output::toString);
        List<Measurement> measurements = JmhResults.read(out.resolve("results.json")).measurements();
        Set<String> stores = Set.of("submit", "wholes nobody", "share nobody", "share one rank", "held nobody",
                "held one rank", "replenish");
        Set<String> expected = new HashSet<>(Set.of("submit wire", "parity direct", "parity ring"));
        stores.forEach(each -> Stream.of(CodedLife.CODED, CodedLife.COPIES)
                .forEach(method -> expected.add(each + " " + method)));
        for (String calls : List.of(JobLife.FIRST, JobLife.EARLY)) {
            assertEquals(expected, measurements.stream().map(Measurement::key)
                    .filter(key -> key.param(CodedLife.CODE).equals("4+2") && key.param(JobLife.CALLS).equals(calls))
                    .map(key -> (key.shortName().replace("CodedLife.", "") + " " + key.param(CodedLife.FAILED) + " "
                            + key.param("method")).replace("  ", " "))
                    .collect(Collectors.toSet()), measurements::toString);
        }
        Measurement submit = measurements.stream().filter(each -> each.key().shortName().equals("CodedLife.submit")
                && each.key().param("method").equals(CodedLife.CODED)
                && each.key().param(JobLife.CALLS).equals(JobLife.FIRST)).findFirst().orElseThrow();
        double computed = submit.counters().getOrDefault("computedBytes", 0.0);
        assertEquals(1.5 * (512 << 10), computed);
        assertTrue(submit.counters().getOrDefault("restBytes", 0.0) >= computed, submit::toString);
        assertTrue(submit.counters().getOrDefault("peakBytes", 0.0) >= 2 * computed, submit::toString);
        assertTrue(submit.counters().getOrDefault("sentBytes", 0.0) > 512 << 10, submit::toString);
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("| by replication | by wire |"), report);
        assertTrue(report.contains("| failed=nobody "), report);
    }

    @Deep
    @Test
    void measuresNativeCallsAndTheBindingsSideBySide() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path out = folder.resolve("out");
        StringWriter output = new StringWriter();
        assertEquals(0, run(output, "--no-jvm", "--only", "Sparse", "--pes", "2", "--iterations", "3", "--transport",
                "both", "--out", out.toString()), output::toString);
        List<Measurement> measurements = JmhResults.read(out.resolve("results.json")).measurements();
        for (MpiTransport transport : MpiTransport.values()) {
            Set<String> methods = measurements.stream()
                    .filter(each -> each.key().param(MpiTransport.PARAM).equals(transport.text()))
                    .map(each -> each.key().param("method")).collect(Collectors.toSet());
            assertEquals(Set.of("nbx", "nbx-c", "alltoallv"), methods, measurements::toString);
        }
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("| method=nbx-c ") && report.contains("| transport=bindings "), report);
    }
}

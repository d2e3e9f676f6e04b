package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        assertTrue(output.toString().contains("Barrier (pes=2)"), output::toString);
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("## Against older results"), report);
        assertTrue(report.contains("| Barrier | pes 2 |"), report);
        Path measured = out.resolve("results.json");
        assertEquals(0, run(output, "--results", measured.toString(), "--compare", older("slow.json", 1e9).toString(),
                "--out", out.toString()), output::toString);
        assertTrue(Files.readString(out.resolve("report.md")).contains("| faster |"), output::toString);
    }

    @Deep
    @Test
    void measuresTheLifeOfJobsBesidePlainJava() throws IOException {
        MpiFlavour.OPEN_MPI.require();
        Path out = folder.resolve("out");
        StringWriter output = new StringWriter();
        assertEquals(0, run(output, "--life", "1", "--pes", "2", "--bytes", "64KiB", "--iterations", "21", "--out",
                out.toString()), output::toString);
        List<Measurement> measurements = JmhResults.read(out.resolve("results.json"));
        Map<String, Long> byMethod = measurements.stream()
                .collect(Collectors.groupingBy(each -> each.key().param("method"), Collectors.counting()));
        long calls = 3;
        long ofFiles = 3 * calls;
        assertEquals(Map.of(
                // Building a store twice, four operations, a recovery, three schemes, checkpoints of files, two loops, a
                // restart.
                "restore", 2 + 4 * calls + 1 + 3 * ofFiles + calls + 2 + 1,
                // Three operations and a recovery.
                "wire", 3 * calls + 1,
                // A share, small messages, and files by exclusive or.
                "plain Java", 2 * calls + ofFiles, "no-checkpoints", 2L, "first-start", 1L), byMethod,
                measurements::toString);
        for (Measurement each : measurements) {
            assertEquals("2", each.key().param("pes"), "as mpirun says: " + each);
            assertTrue(each.median() > 0, each::toString);
        }
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("**Not measured**: redset, beside protected files: "), report);
    }
}

package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.mpi.JobLife;
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
                    .filter(each -> each.key().param(JobLife.SETTING).equals(setting.text())).toList();
            int schemes = setting == JvmSetting.DEFAULT ? 3 : 1;
            int checkpoints = setting == JvmSetting.DEFAULT ? 2 * 3 + 3 : 0;
            assertEquals(2 + 4 * 2 * 3 + schemes * 3 * 3 + 2 + 6 + 4 + checkpoints, life.size(),
                    "from main, build, three operations, their wire limits, NBX, NBX in C, files, a recovery, what is "
                            + "noticed of a submit in the background and its longest step, checkpoints of files, and "
                            + "what a loop pays: " + life);
            for (Measurement each : life) {
                assertEquals("2", each.key().param("pes"), "as mpirun says: " + each);
                assertTrue(each.least() > 0, each::toString);
            }
        }
        String report = Files.readString(out.resolve("report.md"));
        for (String rivals : List.of("| by wire |", "| by nbx-c |", "| by plain Java |", "| by no checkpoints |",
                "**Not measured**: redset, beside protected files: ")) {
            assertTrue(report.contains(rivals), () -> rivals + " in " + report);
        }
    }
}

package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.ProjectFiles;
import picocli.CommandLine;

/** The C++ library ReStore and LLNL's redset beside ours; both are the user's. */
class RivalsIT {
    private static final String HEADERS = "RESTOREJ_CPP_RESTORE";
    private static final String PREFIX = "RESTOREJ_REDSET";
    private static final String CLASS_PATH = "java.class.path";

    @TempDir
    private Path folder = Path.of("");

    private final String classPath = System.getProperty(CLASS_PATH);

    @BeforeEach
    void hidesTheSignaturesOfTheBindings() {
        MpiFlavour.OPEN_MPI.require();
        System.setProperty(CLASS_PATH, ProjectFiles.classPath());
    }

    @AfterEach
    void showsThemAgain() {
        System.setProperty(CLASS_PATH, classPath);
    }

    private record Run(int exitCode, String errors) {
        static Run of(Path out, String option, String folder, int turns) {
            StringWriter errors = new StringWriter();
            CommandLine command = new CommandLine(new BenchCommand()).setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(errors, true));
            return new Run(command.execute("--life", "1", "--pes", "2", "--bytes", "512KiB", "--iterations",
                    Integer.toString(turns), option, folder, "--out", out.toString()), errors.toString());
        }
    }

    private static String named(String variable, String what) {
        String folder = System.getenv(variable);
        if (folder == null || folder.isEmpty()) {
            String missing = "######## NOT TESTED beside " + what + ": the environment variable " + variable
                    + " doesn't name its folder";
            System.err.println(missing);
            Assumptions.abort(missing);
        }
        return folder;
    }

    private static List<Measurement> measurements(Path out, String method) throws IOException {
        return JmhResults.read(out.resolve("results.json")).stream()
                .filter(each -> each.key().param("method").equals(method)).toList();
    }

    @Test
    void livesBesideJobsOfOursAndReadsBackWhatItHasSubmitted() throws IOException {
        Path out = folder.resolve("out");
        Run run = Run.of(out, "--cpp", named(HEADERS, "C++ ReStore, whose folder has restore/core.hpp"), 21);
        assertEquals(0, run.exitCode(), run::errors);
        List<Measurement> measurements = measurements(out, CompiledRival.CPP_RESTORE.text());
        assertEquals(
                Set.of("JobLife.submit 1: 1", "JobLife.submit 2 to 20: 19", "JobLife.submit later: 1",
                        "JobLife.share 1: 1", "JobLife.share 2 to 20: 19", "JobLife.share later: 1",
                        "JobLife.recovery 1: 1",
                        "JobLife.wholes 1: 1", "JobLife.wholes 2 to 20: 19", "JobLife.wholes later: 1"),
                measurements.stream().map(each -> each.key().shortName() + " " + each.key().param("calls") + ": "
                        + each.samples().size()).collect(Collectors.toSet()));
        for (Measurement each : measurements) {
            assertEquals("2", each.key().param("pes"), each::toString);
            assertTrue(each.median() > 0, each::toString);
        }
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("C++ ReStore "), report);
        assertTrue(report.contains("**Not measured**: redset, beside protected files: "), report);
        assertFalse(report.contains("method redset"), report);
    }

    @Test
    void protectsFilesByTurnsWithRedsetAndReadsThemBack() throws IOException {
        Path out = folder.resolve("out");
        Run run = Run.of(out, "--redset", named(PREFIX, "redset, installed in a folder that has include/redset.h"), 1);
        assertEquals(0, run.exitCode(), run::errors);
        Set<List<String>> expected = new HashSet<>();
        for (String operation : List.of("apply", "recover", "together")) {
            for (String scheme : List.of("XOR", "PARTNER", "RS1")) {
                for (String calls : List.of("1", "3", "later")) {
                    expected.add(List.of("FileLife." + operation, scheme, calls));
                }
            }
        }
        for (String method : List.of("restore", CompiledRival.REDSET.text())) {
            List<Measurement> measurements = measurements(out, method).stream()
                    .filter(each -> each.key().shortName().startsWith("FileLife.")).toList();
            assertEquals(expected, measurements.stream().map(each -> List.of(each.key().shortName(),
                    each.key().param("scheme"), each.key().param("calls"))).collect(Collectors.toSet()), method);
            for (Measurement each : measurements) {
                assertTrue(each.median() > 0, each::toString);
                assertEquals(Integer.toString((4 * 512) << 10), each.key().param("bytes"), each::toString);
            }
        }
        Set<List<String>> checkpoints = new HashSet<>();
        for (String calls : List.of("1", "3", "later")) {
            checkpoints.add(List.of("DatasetsLife.checkpoint", calls));
        }
        assertEquals(checkpoints, measurements(out, CompiledRival.REDSET.text()).stream()
                .filter(each -> each.key().shortName().startsWith("DatasetsLife."))
                .map(each -> List.of(each.key().shortName(), each.key().param("calls"))).collect(Collectors.toSet()));
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("redset "), report);
        assertFalse(report.contains("**Not measured**: redset"), report);
    }

    @Test
    void failsWithWhatTheCompilerSaysOfARedsetThatIsNone() throws IOException {
        Path header = Files.createDirectory(folder.resolve("include")).resolve("redset.h");
        Files.writeString(header, "#error this is no redset\n");
        Run run = Run.of(folder.resolve("out"), "--redset", folder.toString(), 1);
        assertEquals(1, run.exitCode(), run::errors);
        assertTrue(run.errors().startsWith("bench: redset can't be measured: "), run::errors);
        assertTrue(run.errors().contains("this is no redset")
                || run.errors().contains("no compiler of Open MPI found"), run::errors);
    }
}

package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.mpi.CppLife;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.ProjectFiles;
import picocli.CommandLine;

/** The C++ library ReStore beside ours; its headers are the user's. */
class CppRestoreIT {
    private static final String HEADERS = "RESTOREJ_CPP_RESTORE";
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
        static Run of(Path out, String headers, int turns) {
            StringWriter errors = new StringWriter();
            CommandLine command = new CommandLine(new BenchCommand()).setOut(new PrintWriter(new StringWriter()))
                    .setErr(new PrintWriter(errors, true));
            return new Run(command.execute("--life", "1", "--pes", "2", "--bytes", "512KiB", "--iterations",
                    Integer.toString(turns), "--cpp", headers, "--out", out.toString()), errors.toString());
        }
    }

    private static String headers() {
        String headers = System.getenv(HEADERS);
        if (headers == null || headers.isEmpty()) {
            String missing = "######## NOT TESTED beside C++ ReStore: the environment variable " + HEADERS
                    + " doesn't name the folder of its headers, which has restore/core.hpp";
            System.err.println(missing);
            Assumptions.abort(missing);
        }
        return headers;
    }

    @Test
    void livesBesideJobsOfOursAndReadsBackWhatItHasSubmitted() throws IOException {
        Path out = folder.resolve("out");
        Run run = Run.of(out, headers(), 21);
        assertEquals(0, run.exitCode(), run::errors);
        List<Measurement> measurements = JmhResults.read(out.resolve("results.json")).measurements().stream()
                .filter(each -> each.key().param("method").equals(CppLife.METHOD)).toList();
        assertEquals(
                Set.of("JobLife.submit 1: 1", "JobLife.submit 2 to 20: 19", "JobLife.submit later: 1",
                        "JobLife.share 1: 1", "JobLife.share 2 to 20: 19", "JobLife.share later: 1",
                        "JobLife.recovery 1: 1",
                        "JobLife.wholes 1: 1", "JobLife.wholes 2 to 20: 19", "JobLife.wholes later: 1"),
                measurements.stream().map(each -> each.key().shortName() + " " + each.key().param(JobLife.CALLS) + ": "
                        + each.samples().size()).collect(Collectors.toSet()));
        for (Measurement each : measurements) {
            assertEquals("2", each.key().param("pes"), each::toString);
            assertTrue(each.least() > 0, each::toString);
        }
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("| by C++ ReStore |"), report);
    }

    @Test
    void failsWithWhatTheCompilerSaysOfHeadersThatAreNone() throws IOException {
        Path header = Files.createDirectory(folder.resolve("restore")).resolve("core.hpp");
        Files.writeString(header, "#error these are no headers of ReStore\n");
        Run run = Run.of(folder.resolve("out"), folder.toString(), 1);
        assertEquals(1, run.exitCode(), run::errors);
        assertTrue(run.errors().startsWith("bench: C++ ReStore can't be measured: "), run::errors);
        assertTrue(run.errors().contains("these are no headers of ReStore")
                || run.errors().contains("no compiler of Open MPI found"), run::errors);
    }
}

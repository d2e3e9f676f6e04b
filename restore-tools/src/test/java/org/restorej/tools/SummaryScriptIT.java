package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** What bin/test says at its end, from reports as surefire writes them. */
class SummaryScriptIT {
    @TempDir
    private Path folder = Path.of("");

    private void report(String kind, String name, String attributes, String cases) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("restore-core/target/" + kind + "-reports"));
        Files.writeString(reports.resolve("TEST-" + name + ".xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite xmlns:xsi="any" version="3.0" name="%s" %s>
                %s
                </testsuite>
                """.formatted(name, attributes, cases));
    }

    private String summary() throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.script(ProjectFolder.root().resolve("tests/lib/test-summary").toString(),
                folder.toString());
        assertEquals(0, run.exitCode(), run::describe);
        return run.everything();
    }

    @Test
    void saysWhatRanAndWhatWasLeftOut() throws IOException, InterruptedException {
        report("surefire", "a.FewTest", "time=\"12.4\" tests=\"5\" errors=\"0\" skipped=\"2\" failures=\"0\"", """
                <testcase name="one"><system-out><![CDATA[-Drestorej.seed=-779
                12 runs]]></system-out></testcase>
                <testcase name="two"><skipped message="no fonts"/></testcase>
                <testcase name="three"><skipped message="no fonts"/></testcase>""");
        report("surefire", "b.WholeTest", "time=\"1,000.6\" tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\"", "");
        report("failsafe", "c.JobIT", "time=\"3\" tests=\"1\" errors=\"0\" skipped=\"1\" failures=\"0\"",
                "<testcase name=\"one\"><skipped message=\"not here\"/></testcase>");
        Path runs = Files.createDirectories(folder.resolve("restore-core/target/mpi-runs"));
        Files.writeString(runs.resolve("ANY.tsv"), "MPI 1\tlibmpi 1.2, of today\ta.b\tone\n".repeat(2)
                + "MPI 1\t\ta.b\ttwo\n");
        assertEquals("""
                what ran:
                  restore-core    tests of jobs and scripts: 0, 3 s
                  restore-core    unit tests: 5, 1013 s
                seed: -Drestorej.seed=-779
                left out:
                  a.FewTest: skipped: no fonts
                  c.JobIT: skipped: not here
                on MPIs:
                  MPI 1 (libmpi 1.2): 2
                """, summary());
    }
}

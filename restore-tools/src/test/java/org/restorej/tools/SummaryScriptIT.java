package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.ScriptRun;

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
        ScriptRun run = ScriptRun.of("lib/test-summary", folder.toString());
        assertEquals(0, run.exitCode(), run::describe);
        return run.everything();
    }

    @Test
    void saysWhatRanAndWhatWasLeftOut() throws IOException, InterruptedException {
        report("surefire", "a.FewTest", "time=\"12.4\" tests=\"5\" errors=\"0\" skipped=\"1\" failures=\"0\"", """
                <testcase name="one"><system-out><![CDATA[12 runs, -Drestorej.crash.seed=20779
                left to --deep: 7 of 8 crashes
                left to --deep: 7 of 8 crashes
                left to --deep: 1 of 2 sizes
                left to --deep: 3 of 4 ranks]]></system-out></testcase>
                <testcase name="two"><skipped message="left to --deep: the whole test"/></testcase>""");
        report("surefire", "b.WholeTest", "time=\"1,000.6\" tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"0\"", "");
        report("failsafe", "c.JobIT", "time=\"3\" tests=\"1\" errors=\"0\" skipped=\"1\" failures=\"0\"",
                "<testcase name=\"one\"><skipped message=\"not here\"/></testcase>");
        assertEquals("""
                what ran:
                  restore-core        0 tests of jobs and scripts in   1 classes,    3 s
                  restore-core        6 unit tests                in   2 classes, 1013 s
                the longest:
                   1001 s  b.WholeTest
                     12 s  a.FewTest
                      3 s  c.JobIT
                seeds: -Drestorej.crash.seed=20779\s
                left out:
                  a.FewTest: 7 of 8 crashes; 1 of 2 sizes; and 2 more
                  c.JobIT: skipped: not here
                """, summary());
    }

    @Test
    void saysThatNothingWasLeftOut() throws IOException, InterruptedException {
        report("failsafe", "c.JobIT", "time=\"3\" tests=\"1\" errors=\"0\" skipped=\"0\" failures=\"0\"", "");
        assertEquals("""
                what ran:
                  restore-core        1 tests of jobs and scripts in   1 classes,    3 s
                the longest:
                      3 s  c.JobIT
                left out:
                  nothing
                """, summary());
    }
}

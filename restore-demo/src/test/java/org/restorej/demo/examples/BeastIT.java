package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** The example with BEAST 2's classes, which compares its result with one thread's, and with BEAST's own. */
@Deep
class BeastIT {
    private static final Path EXAMPLE = ProjectFolder.root().resolve("examples/beast");
    private static final Path DATA = ProjectFolder.root()
            .resolve("restore-demo/src/main/resources/org/restorej/demo/phylo");
    private static final String RESULT = "shape 0.2852, log-likelihood -5848.900956, as by BEAST";

    @TempDir
    private static Path folder = Path.of("");

    private static String classPath = "";

    @BeforeAll
    static void fetchAndCompile() throws IOException, InterruptedException {
        ProcessRun fetched = ProcessRun.script(EXAMPLE.resolve("fetch").toString(), folder.resolve("beast").toString());
        if (fetched.exitCode() != 0) {
            String missing = "######## NOT TESTED: BEAST 2 can't be fetched here: " + fetched.errors();
            System.err.println(missing);
            Assumptions.abort(missing);
        }
        classPath = folder.resolve("classes") + ":" + fetched.output().strip() + ":"
                + System.getProperty("java.class.path");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d",
                folder.resolve("classes").toString(), "-cp", classPath, EXAMPLE.resolve("GammaShape.java").toString()));
    }

    private static void check(String expected, String script, String... options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("GammaShape", DATA.resolve("primates.phy").toString(),
                DATA.resolve("primates.nwk").toString()));
        ProcessRun run = ProcessRun.script(script, arguments.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().contains(expected), run::describe);
    }

    @Test
    void goesOnWithoutAThread() throws IOException, InterruptedException {
        check("7 of 8 PEs: " + RESULT, ProcessRun.JAVA,
                "--enable-native-access=ALL-UNNAMED", "-cp", classPath);
    }

    @Test
    void goesOnWithoutAKilledRank() throws IOException, InterruptedException {
        MpiFlavour.ULFM.require();
        check("3 of 4 PEs: " + RESULT, "mpirun-java", "--ulfm", "-n", "4", "--cp", classPath);
    }
}

package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/**
 * All that a user has who has fetched the jar by Maven: no checkout, and an empty cache folder. Side by side: these are
 * all jobs of this module, and most of their time is that of starting JVMs.
 */
@Execution(ExecutionMode.CONCURRENT)
class JarAloneIT {
    private static final String PROGRAM = """
            import org.restorej.comm.Communicator;
            import org.restorej.comm.mpi.Programs;

            public class Main {
                public static void main(String[] arguments) {
                    Programs.run(arguments, 1, Main::run);
                }

                static void run(Communicator world) {
                    System.out.println("rank " + world.rank() + " of " + world.size() + " says " + Main.class.getName());
                }
            }
            """;

    @TempDir
    private Path folder = Path.of("");
    private Path jar = Path.of("");

    @BeforeEach
    void copyTheJar() throws IOException {
        try (Stream<Path> built = Files.list(Path.of("target"))) {
            jar = Files.copy(built.filter(file -> file.toString().endsWith("-all.jar")).findFirst().orElseThrow(),
                    folder.resolve("restore-cli-all.jar"));
        }
    }

    private ProcessRun restore(String... words) throws IOException, InterruptedException {
        return restore(false, words);
    }

    private ProcessRun restore(boolean aotCache, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("-jar", jar.toString()));
        command.addAll(Arrays.asList(words));
        return ProcessRun.script(
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString(), "RESTOREJ_AOT", aotCache ? "yes" : "no"),
                ProcessRun.JAVA, command.toArray(String[]::new));
    }

    @Deep
    @Test
    void doctorFindsWhatTheScriptsFindAndNamesTheJarAsWhatFixesTheRest() throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        ProcessRun run = restore("doctor");
        assertEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().lines().anyMatch(line -> line.matches("ok +Open MPI +[4-9].*")), run::describe);
        // A cache folder without one.
        assertTrue(run.output().contains("fix: java -jar " + jar + " bootstrap --ulfm"), run::describe);
    }

    @Test
    void ranksOfAProgramStartWithTheLibraryOfTheJar() throws IOException, InterruptedException {
        runProgram(false);
    }

    private void runProgram(boolean aotCache, String... options) throws IOException, InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        Path source = Files.writeString(folder.resolve("Main.java"), PROGRAM);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", jar.toString(),
                "-d", folder.resolve("classes").toString(), source.toString()));
        List<String> words = new ArrayList<>(List.of("run", "-n", "4"));
        words.addAll(Arrays.asList(options));
        words.addAll(List.of("--cp", folder.resolve("classes").toString(), "Main"));
        ProcessRun run = restore(aotCache, words.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run::describe);
        assertEquals(List.of("rank 0 of 4 says Main", "rank 1 of 4 says Main", "rank 2 of 4 says Main",
                "rank 3 of 4 says Main"), run.output().lines().sorted().toList(), run::describe);
    }

    /** Every day so do those of the library's own jar. */
    @Deep
    @Test
    void ranksOfAProgramStartWithACacheOfTheJar() throws IOException, InterruptedException {
        Path loaded = Files.createDirectory(folder.resolve("loaded"));
        runProgram(true, "--vm", "-Xlog:class+load:file=" + loaded + "/%p");
        try (Stream<Path> ofRanks = Files.list(loaded)) {
            for (Path ofRank : ofRanks.toList()) {
                assertTrue(
                        Files.readString(ofRank)
                                .contains(" org.restorej.comm.Communicator source: shared objects file"),
                        "the library comes from the cache");
            }
        }
    }

    @Test
    void theScriptsOptionsAndExitCodesAreThose() throws IOException, InterruptedException {
        ProcessRun wrong = restore("run", "-n", "none", "Main");
        assertEquals(2, wrong.exitCode(), wrong::describe);
        assertTrue(wrong.errors().contains("-n must be a number of ranks"), wrong::describe);
        ProcessRun help = restore("run", "--", "--help");
        assertEquals(0, help.exitCode(), help::describe);
        assertTrue(help.output().contains("--one-rank-per-core"), help::describe);
        ProcessRun check = restore("bootstrap", "--nonsense");
        assertEquals(2, check.exitCode(), check::describe);
    }
}

package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;
import org.restorej.testing.Seed;

/** The MPI program of docs/porting.md before and after its port: both write the same file, the second one also after a kill. */
class PortedProgramIT {
    private static final Path EXAMPLE = ProjectFolder.root().resolve("examples/port");
    private static final String ROWS_AND_COLUMNS = "60 50";
    private static final String STEPS = "1000";

    /** The kill comes while the rows are swept: at most this long after the first steps were reported. */
    private static final int LATEST_KILL_MILLIS = 100;

    private static final SplittableRandom RANDOM = new SplittableRandom(Seed.of(PortedProgramIT.class));

    @TempDir
    private static Path folder = Path.of("");

    private static String classPath = "";

    @BeforeAll
    static void compileAndMakeInput() throws IOException {
        Path classes = folder.resolve("classes");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(), "-cp",
                System.getProperty("java.class.path"), EXAMPLE.resolve("Plate.java").toString(),
                EXAMPLE.resolve("SurvivingPlate.java").toString()));
        classPath = classes + File.pathSeparator + ProjectFiles.classPath();
        SplittableRandom temperatures = new SplittableRandom(1);
        Files.writeString(input(), ROWS_AND_COLUMNS + IntStream.range(0, 60 * 50)
                .mapToObj(i -> "\n" + temperatures.nextInt(100)).collect(Collectors.joining()));
    }

    private static Path input() {
        return folder.resolve("plate.txt");
    }

    private static List<String> underMpi(String mpi, String program, Path output) {
        return List.of(ProjectFolder.script("mpirun-java").toString(), "--mpi", mpi, "-n", "4", "--cp", classPath,
                program, input().toString(), output.toString(), STEPS);
    }

    /** What the program after the port writes on threads. */
    private static String expected() throws IOException, InterruptedException {
        Path output = folder.resolve("expected");
        if (Files.exists(output)) {
            return Files.readString(output);
        }
        return written(List.of(ProcessRun.JAVA, "--enable-native-access=ALL-UNNAMED", "-cp", classPath,
                "SurvivingPlate", input().toString(), output.toString(), STEPS), output);
    }

    private static String written(List<String> command, Path output) throws IOException, InterruptedException {
        ProcessRun run = ProcessRun.of(new ProcessBuilder(command));
        assertEquals(0, run.exitCode(), run::describe);
        return Files.readString(output);
    }

    @Test
    void bothProgramsWriteTheSameFile() throws IOException, InterruptedException {
        MpiFlavour.BINDINGS.require();
        Path before = folder.resolve("before");
        assertEquals(expected(), written(underMpi("openmpi", "Plate", before), before));
    }

    @Test
    void aKilledRankChangesNothing() throws IOException, InterruptedException {
        killOne();
    }

    @Deep
    @RepeatedTest(20)
    void noKillChangesAnything() throws IOException, InterruptedException {
        killOne();
    }

    private static void killOne() throws IOException, InterruptedException {
        MpiFlavour.ULFM.require();
        Path output = folder.resolve("killed");
        Files.deleteIfExists(output);
        Path log = Files.createTempFile(folder, "killed", ".log");
        Process job = new ProcessBuilder(underMpi("ulfm", "SurvivingPlate", output)).redirectErrorStream(true)
                .redirectOutput(log.toFile()).start();
        try {
            List<ProcessHandle> ranks = ranksAtWork(job, log);
            Thread.sleep(RANDOM.nextInt(LATEST_KILL_MILLIS));
            ProcessHandle killed = ranks.get(RANDOM.nextInt(ranks.size()));
            assertFalse(Files.exists(output), "the program has ended before the kill");
            assertTrue(killed.destroyForcibly());
            assertTrue(job.waitFor(4, TimeUnit.MINUTES), () -> text(log));
            assertEquals(0, job.exitValue(), () -> text(log));
        } finally {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
        }
        assertEquals(expected(), Files.readString(output));
    }

    /** The JVMs of the ranks, once rank 0 has reported steps. */
    private static List<ProcessHandle> ranksAtWork(Process job, Path log) throws InterruptedException {
        while (!text(log).contains("step 100\n")) {
            assertTrue(job.isAlive(), () -> text(log));
            Thread.sleep(5);
        }
        List<ProcessHandle> ranks = new ArrayList<>();
        job.descendants().filter(PortedProgramIT::isRank).forEach(ranks::add);
        assertEquals(4, ranks.size(), ranks::toString);
        return ranks;
    }

    private static boolean isRank(ProcessHandle process) {
        // The class path is too long for ProcessHandle.Info.
        List<String> command = List.of(text(Path.of("/proc", Long.toString(process.pid()), "cmdline")).split("\0"));
        return command.getFirst().endsWith("/bin/java") && command.contains("SurvivingPlate");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiInstallations;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Programs in executable jars, which have a class path of their own. */
class JarStartIT {
    @TempDir
    private Path folder;

    private Path jar;

    @BeforeEach
    void makeJar() throws IOException {
        jar = folder.resolve("an app.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, JarProgram.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH,
                Arrays.stream(ProjectFiles.classPath().split(File.pathSeparator)).map(Path::of).map(Path::toUri)
                        .map(Object::toString).collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private String run(List<String> command, String... environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        ProcessRun run = ProcessRun.of(builder);
        assertEquals(0, run.exitCode(), run::describe);
        return run.output();
    }

    private static String launcher() {
        return ProjectFolder.script("mpirun-java").toString();
    }

    @Test
    void theLauncherStartsAJar() throws Exception {
        MpiFlavour.OPEN_MPI.require();
        String output = run(
                List.of(launcher(), "-n", "2", "--timeout", "200", "-jar", jar.toString(), "-n", "two words"));
        assertTrue(output.contains("2 PEs with [-n, two words]"), output);
    }

    /** Under MPICH, whose launcher ends at once with a program that fails. */
    @Test
    void theLauncherSaysThatTheClassPathLacksTheLibrary() throws Exception {
        MpiFlavour.MPICH.require();
        ProcessRun run = ProcessRun
                .of(new ProcessBuilder(launcher(), "--mpi", "mpich", "-n", "1", "--timeout", "200", "--cp",
                        folder.toString(), JarProgram.class.getName()).redirectErrorStream(true));
        assertEquals(1, run.exitCode(), run::describe);
        assertTrue(run.output().contains("the class path has no ReStore for Java: add its jars to --cp"),
                run::describe);
    }

    /** Read by any shell, and by the JVM, which has quotes of its own. */
    @Test
    void theEnvironmentThatIsPrintedMayHoldQuotesAndSpaces() throws Exception {
        MpiFlavour.BINDINGS.require();
        Path cache = folder.resolve("it's \"my\" cache");
        Path mpiJar = cache.resolve("restorej/openmpi/" + MpiInstallations.fact("version") + "/mpi.jar");
        Files.createDirectories(mpiJar.getParent());
        Files.copy(Path.of(MpiInstallations.fact("mpi_jar")), mpiJar);
        Path library = Files.createSymbolicLink(folder.resolve("it's libmpi.so"),
                Path.of(MpiInstallations.fact("library")));
        String script = "printed=$('" + launcher() + "' --print-environment); printf '%s\\n' \"$printed\"; "
                + "eval \"$printed\"; printf '%s\\n' \"$RESTOREJ_MPI_LIBRARY\"; "
                + "exec mpirun --oversubscribe --bind-to none -n 2 '" + ProcessRun.JAVA
                + "' -Drestorej.mpi.transport=bindings -jar '"
                + jar + "' x";
        String output = run(List.of("sh", "-c", script), "OMPI_ALLOW_RUN_AS_ROOT", "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_mpi_yield_when_idle", "1", "XDG_CACHE_HOME",
                cache.toString(), "RESTOREJ_MPI_LIBRARY", library.toString());
        assertTrue(output.contains("cache/restorej/openmpi"), output);
        assertTrue(output.contains("\n" + library + "\n"), output);
        assertTrue(output.contains("2 PEs with [x]"), output);
    }

    @Test
    void withoutThatTheErrorSaysWhatTheBindingsMiss() throws Exception {
        String output = run(
                List.of("bash", "-c",
                        "! '" + ProcessRun.JAVA + "' -Drestorej.mpi.transport=bindings -jar '" + jar + "'"),
                "OMPI_COMM_WORLD_SIZE", "2");
        assertTrue(
                output.contains(
                        "the Java bindings of Open MPI (mpi.jar) are not on the class path: make them available with "
                                + "bin/bootstrap --bindings and start the program with bin/mpirun-java, or set "
                                + "the environment variable that bin/mpirun-java --print-environment prints"),
                output);
    }

    @Test
    void withoutALauncherPesAreThreads() throws Exception {
        String output = run(List.of(ProcessRun.JAVA, "-jar", jar.toString()));
        assertTrue(output.contains("3 PEs with []"), output);
    }
}

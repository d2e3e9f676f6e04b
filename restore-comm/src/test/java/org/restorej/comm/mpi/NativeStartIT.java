package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiInstallations;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;

/** Ranks that an MPI's own launcher starts, without any script of the project: which library they take, and errors. */
class NativeStartIT {
    private static final String LIBRARY = "RESTOREJ_MPI_LIBRARY";

    @TempDir
    private Path folder = Path.of("");

    /** Whether the message of an uncaught exception is this one, as a whole. */
    private static void assertFailsWith(ProcessRun run, String message) {
        assertNotEquals(0, run.exitCode(), run::describe);
        assertTrue(run.output().contains(Mpi.UnavailableException.class.getName() + ": " + message + "\n"),
                () -> message + "\nis not in\n" + run.describe());
    }

    private ProcessRun run(List<String> command, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // What a script of the project may have set around the tests.
        builder.environment().keySet().removeIf(name -> name.matches("RESTOREJ_MPI_.*|OMPI_MCA_.*|UCX_.*"));
        builder.environment().putAll(environment);
        return ProcessRun.of(builder);
    }

    private static List<String> java(String... arguments) {
        return java(NativeStartProgram.class, arguments);
    }

    private static List<String> java(Class<?> program, String... arguments) {
        return Stream.concat(Stream.of(ProcessRun.JAVA, "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp",
                ProjectFiles.classPath(), program.getName()), Stream.of(arguments)).toList();
    }

    private ProcessRun underOpenMpi(int ranks, Map<String, String> environment, List<String> program) throws Exception {
        MpiInstallations.require("openmpi");
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        List<String> command = new ArrayList<>(List.of(MpiInstallations.fact("mpirun"), "--oversubscribe", "-n",
                Integer.toString(ranks)));
        command.addAll(program);
        return run(command, all);
    }

    private ProcessRun underMpich(int ranks, Map<String, String> environment, List<String> program) throws Exception {
        MpiInstallations.require("mpich");
        Map<String, String> all = new HashMap<>(environment);
        // Of the launcher alone.
        all.put("LD_LIBRARY_PATH", MpiInstallations.fact("mpich_library_path"));
        List<String> command = new ArrayList<>(List.of(MpiInstallations.fact("mpich_mpirun"), "-n",
                Integer.toString(ranks), "env", "-u", "LD_LIBRARY_PATH"));
        command.addAll(program);
        return run(command, all);
    }

    private static void assertAllHaveRun(ProcessRun outcome, int ranks, String version, Path prefix) {
        assertEquals(0, outcome.exitCode(), outcome::describe);
        for (int rank = 0; rank < ranks; rank++) {
            String line = "rank " + rank + " of " + ranks + ", sum " + ranks * (ranks - 1) / 2 + ", " + version;
            assertTrue(Pattern.compile(Pattern.quote(line) + "[^\n]*, loaded \\[" + Pattern.quote(prefix.toString())
                    + "/[^,\n]*]").matcher(outcome.output()).find(), () -> line + " in " + prefix + ": "
                            + outcome.describe());
        }
    }

    /** Of an installation, from the path of its launcher; links of folders such as /lib are followed. */
    private static Path prefix(String launcher) throws IOException {
        return Path.of(launcher).toRealPath().resolve("../..").normalize();
    }

    @Test
    void theLibraryBesideTheLauncherComesBeforeTheDynamicLinkers() throws Exception {
        MpiInstallations.require("openmpi");
        Path decoy = compiled("libmpi.so.40", "int nothing;");
        List<String> program = new ArrayList<>(List.of("env", "LD_LIBRARY_PATH=" + decoy.getParent()));
        program.addAll(java());
        assertAllHaveRun(underOpenMpi(2, Map.of(), program), 2, "Open MPI v" + MpiInstallations.fact("version"),
                prefix(MpiInstallations.fact("mpirun")));
    }

    /** As on nodes of different sizes: what depends on the node may not decide which function of MPI all ranks call. */
    @Test
    void ranksOfMpichStartTogetherWhereOnlySomeShareCores() throws Exception {
        MpiInstallations.require("mpich");
        List<String> program = new ArrayList<>(List.of("sh", "-c",
                "[ $PMI_RANK = 0 ] && export MPI_LOCALNRANKS=1; exec \"$@\"", "sh"));
        program.addAll(java());
        assertAllHaveRun(underMpich(3, Map.of(), program), 3, "MPICH Version:",
                prefix(MpiInstallations.fact("mpich_mpirun")));
    }

    @Test
    void refusesTheLibraryOfAnotherMpiThanTheLaunchers() throws Exception {
        MpiInstallations.require("mpich");
        String mpich = MpiInstallations.fact("mpich_library");
        ProcessRun outcome = underOpenMpi(1, Map.of(LIBRARY, mpich), java());
        assertTrue(outcome.output().contains(LIBRARY + "=" + mpich
                + ": it can't run under Open MPI's mpirun (OMPI_COMM_WORLD_SIZE): MPICH Version:"), outcome::describe);
        assertNotEquals(0, outcome.exitCode());
        String openMpi = MpiInstallations.fact("library");
        ProcessRun other = underMpich(1, Map.of(LIBRARY, openMpi), java());
        assertTrue(other.output().contains(LIBRARY + "=" + openMpi
                + ": it can't run under a launcher with PMI, as mpiexec.hydra (PMI_RANK): Open MPI v"),
                other::describe);
        assertNotEquals(0, other.exitCode());
    }

    @Deep
    @Test
    void refusesAnotherLibraryThanTheOneThatTheProgramHasLoaded() throws Exception {
        MpiInstallations.require("mpich");
        String name = String.valueOf(Path.of(MpiInstallations.fact("mpich_library")).getFileName());
        String loaded = Path.of(MpiInstallations.fact("library")).toRealPath().toString();
        ProcessRun outcome = underOpenMpi(1, Map.of(LIBRARY, name, "LD_LIBRARY_PATH",
                MpiInstallations.fact("mpich_library_path")), java(MpiInstallations.fact("library")));
        assertFailsWith(outcome, LIBRARY + "=" + name + ": another MPI library is loaded into this process "
                + "already, and no process survives two: [" + loaded + "]");
    }

    @Deep
    @Test
    void takesTheLibraryThatTheProgramHasLoadedByAnyOfItsNames() throws Exception {
        MpiInstallations.require("openmpi");
        Path library = Path.of(MpiInstallations.fact("library"));
        for (String name : List.of("", library.toString(), library.toRealPath().toString(),
                String.valueOf(library.getFileName()))) {
            assertAllHaveRun(underOpenMpi(1, Map.of(LIBRARY, name), java(library.toString())), 1, "Open MPI v",
                    prefix(MpiInstallations.fact("mpirun")));
        }
    }

    @Deep
    @Test
    void namesTheFunctionsThatALibraryLacks() throws Exception {
        Path older = compiled("libmpi-of-old.so",
                """
                        #include <string.h>
                        char ompi_mpi_comm_world[64];
                        int MPI_Get_library_version(char *text, int *length) { strcpy(text, "Open MPI v1.8\\nof a test"); return 0; }
                        """);
        assertFailsWith(underOpenMpi(1, Map.of(LIBRARY, older.toString()), java()), LIBRARY + "=" + older
                + ": it lacks MPI_Initialized, MPI_Finalized, MPI_Init_thread, MPI_Query_thread and 27 others: "
                + "Open MPI v1.8");
    }

    /** A shared library made of a text in C; skips the calling test, aloud, where there is no compiler. */
    private Path compiled(String name, String source) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".c"), source);
        Path library = Files.createDirectories(folder.resolve("libraries")).resolve(name);
        try {
            ProcessRun outcome = run(List.of("cc", "-shared", "-fPIC", "-o", library.toString(), file.toString()),
                    Map.of());
            assertEquals(0, outcome.exitCode(), outcome::describe);
        } catch (IOException noCompiler) {
            String missing = "######## NOT TESTED: there is no C compiler (cc) here, which would make " + name;
            System.err.println(missing);
            Assumptions.abort(missing);
        }
        return library;
    }

    @Test
    void withoutALauncherTheErrorSaysHowToStart() throws Exception {
        assertFailsWith(run(java(), Map.of()), "this program was not started by an MPI launcher: start it with "
                + "bin/mpirun-java -n RANKS, mpirun -n RANKS java, or in Slurm srun --mpi=pmix java (Open MPI) or "
                + "srun --mpi=pmi2 java (MPICH and its family)");
    }

    /** What {@code srun --mpi=pmix} sets, whose protocol MPICH doesn't speak. */
    @Test
    void ranksThatMpiLeavesAloneEndWithAnErrorThatNamesTheRightOption() throws Exception {
        MpiInstallations.require("mpich");
        ProcessRun outcome = run(java(),
                Map.of("PMIX_RANK", "1", "PMIX_NAMESPACE", "slurm.pmix.7.0", "SLURM_PROCID", "1",
                        "SLURM_STEP_NUM_TASKS", "4", LIBRARY, MpiInstallations.fact("mpich_library")));
        assertNotEquals(0, outcome.exitCode(), outcome::describe);
        assertTrue(
                outcome.output().contains("the launcher has started 4 ranks (SLURM_STEP_NUM_TASKS), but MPI only sees "
                        + "1 of them, since MPICH Version: "),
                outcome::describe);
        assertTrue(outcome.output().contains(" doesn't speak the launcher's protocol: say srun --mpi=pmi2 "),
                outcome::describe);
        assertFalse(outcome.output().contains("rank 0 of 1"), outcome::describe);
    }

    @Test
    void underAnSrunWithoutMpiTheErrorNamesItsOption() throws Exception {
        for (Class<?> program : List.of(NativeStartProgram.class, JarProgram.class)) {
            ProcessRun outcome = run(java(program), Map.of("SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "4"));
            assertFailsWith(outcome, "srun has started this program without MPI: say srun --mpi=pmix for Open MPI, or "
                    + "--mpi=pmi2 for MPICH and its family (srun --mpi=list tells what there is)");
            assertFalse(outcome.output().contains("bin/mpirun-java"), outcome::describe);
        }
    }
}

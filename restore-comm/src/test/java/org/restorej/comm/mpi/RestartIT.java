package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Jobs that {@code bin/mpirun-java --restarts} starts again. */
class RestartIT {
    private static final int RANKS = 2;
    private static final long MAX_NANOS = 60_000_000_000L;

    @TempDir
    private Path folder;

    private static void goesOn(MpiFlavour flavour) {
        flavour.require();
        try (MpiJob job = MpiJob.of(RestartedProgram.class, RANKS).on(flavour).restarts(2).start()) {
            MpiResult result = job.await().requireSuccess();
            for (int rank = 0; rank < RANKS; rank++) {
                assertEquals(Optional.of("start 2 of 2 PEs"), job.report("end-" + rank), result::describe);
            }
            assertEquals(List.of("1 of 2", "2 of 2"),
                    result.log().lines().filter(line -> line.contains("is started again"))
                            .map(line -> line.substring(line.lastIndexOf(", ") + 2)).toList(),
                    result::describe);
            assertTrue(result.log().contains("exit code 75, lost in iteration 120"), result::describe);
        }
    }

    @Test
    void aJobOfOpenMpiGoesOnAfterASignalAndAfterLostData() {
        goesOn(MpiFlavour.OPEN_MPI);
    }

    @Deep
    @Test
    void aJobOfMpichGoesOnAfterASignalAndAfterLostData() {
        goesOn(MpiFlavour.MPICH);
    }

    @Deep
    @Test
    void aJobUnderUlfmThatNobodySurvivesGoesOn() {
        goesOn(MpiFlavour.ULFM);
    }

    /** How often a job starts; a start is an exit code and what the ranks tell of it, the last one is repeated. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"75 | 1 | 75", "75 lost 7, 0 | 2 | 0", "4 exception 7 | 2 | 4"})
    void whatAJobEndsWithDecides(String ends, int starts, int exitCode) throws Exception {
        end(ends, starts, exitCode);
    }

    @Deep
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0 | 1 | 0", "2 | 1 | 2", "75 stopped 7 | 1 | 75", "1 stopped 7, 0 | 1 | 1",
            "137 | 4 | 137", "9, 0 | 2 | 0", "4 exception 7, 4 exception 8, 0 | 3 | 0",
            "4 exception 7, 137, 4 exception 7, 0 | 4 | 0"})
    void whateverElseAJobEndsWithDecides(String ends, int starts, int exitCode) throws Exception {
        end(ends, starts, exitCode);
    }

    private void end(String ends, int starts, int exitCode) throws Exception {
        MpiFlavour.MPICH.require();
        String cases = Arrays.stream(ends.split(", ")).map(end -> end.split(" ", 2))
                .map(end -> (end.length > 1 ? "echo " + end[1] + " > $RESTOREJ_JOB_STATE; " : "") + "exit " + end[0])
                .collect(Collectors.joining("\n", "", "\n"));
        Path list = Files.writeString(folder.resolve("ends"), cases);
        Path program = ProcessRun.writeScript(folder.resolve("program"), "#!/bin/bash\necho start >> '" + folder
                + "/starts'\neval \"$(cat '" + list
                + "' | sed -n \"$((RESTOREJ_RESTART_COUNT + 1))p;\\$p\" | head -n 1)\"\n");
        ProcessRun run = ProcessRun.script(Map.of(), "mpirun-java", "--mpi", "mpich", "-n", "1", "--restarts", "3",
                "--program", program.toString());
        assertEquals(starts, count(), run::describe);
        assertEquals(exitCode, run.exitCode(), run::describe);
        assertEquals(ends.equals("4 exception 7"),
                run.errors().contains("has thrown an exception in iteration 7 again: the job is not started again"),
                run::describe);
        assertEquals(ends.equals("75"), run.errors().contains("it is not started again: why it has ended is not in /"),
                run::describe);
    }

    @Test
    void aRestartUsesHostsOfAnAllocationOfSlurmThatAnswer() throws Exception {
        ProcessRun.writeScript(folder.resolve("agent"), "#!/bin/sh\n[ $1 != b ]\n");
        ProcessRun run = ProcessRun.of(new ProcessBuilder("bash", "-euc",
                "for part in tools mpi restarts; do . \"$0/$part.sh\"; "
                        + "done; scontrol() { printf '%s\\n' a b c; }; one_node=false mpi=openmpi job_folder=$1 agent=asked ranks=6; "
                        + "first_placement=(--x) RESTOREJ_JOB_STATE=$1/state; hosts=; SLURM_JOB_NODELIST=x; "
                        + "SLURM_TASKS_PER_NODE='4(x2),2'; prepare_restart; echo \"$ranks ${placement[*]}\"",
                ProjectFolder.script("lib").toString(),
                folder.toString()));
        assertEquals("6 --x --host a:4,c:2\n", run.output(), run::describe);
    }

    /**
     * A job on several hosts, with a launcher of Open MPI that notes how it was called.
     *
     * @param asked what is done to ask the host $1
     */
    private ProcessBuilder onHosts(String asked, String... options) throws Exception {
        Path home = folder.resolve("mpi");
        Files.createDirectories(home.resolve("bin"));
        ProcessRun.writeScript(home.resolve("bin/mpirun"),
                "#!/bin/sh\n[ \"$1\" != --version ] || exec echo"
                        + " 'mpirun (Open MPI) 4.9.1'\necho \"$OMPI_MCA_orte_tmpdir_base $RESTOREJ_JOB_STATE $@\" >> '"
                        + folder
                        + "/starts'\nexit 9\n");
        Path agent = ProcessRun.writeScript(folder.resolve("agent"), "#!/bin/sh\n" + asked + "\n");
        List<String> command = new ArrayList<>(
                List.of(ProjectFolder.script("mpirun-java").toString(), "--mpi", "openmpi",
                        "--restarts", "1", "--agent", agent.toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("--program", "/bin/true"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(
                Map.of("OMPI_HOME", home.toString(), "XDG_CACHE_HOME", folder.resolve("cache").toString()));
        return builder;
    }

    /** What each start has after an option. */
    private List<String> starts(String option) throws IOException {
        return Files.readAllLines(folder.resolve("starts")).stream()
                .map(line -> Pattern.compile("(?<=" + option + " )\\S+").matcher(line).results()
                        .map(MatchResult::group).collect(Collectors.joining(" and ")))
                .toList();
    }

    @Test
    void aRestartIsOnTheHostsLeftWithTheirShareOfTheRanks() throws Exception {
        restartOnHosts("a:2,b:2,c:2", 6, "a:2,c:2", 4);
    }

    @Deep
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a:3,c:3 | 6 | a:3,c:3 | 6", "a,c | 8 | a,c | 8", "a,b,c | 9 | a,c | 6",
            "a:2,b:1 | 2 | a:2 | 2", "a,b:3 | 3 | a | 1"})
    void aRestartIsOnTheHostsLeftWithTheirShareOfOtherRanks(String hosts, int ranks, String left, int ranksLeft)
            throws Exception {
        restartOnHosts(hosts, ranks, left, ranksLeft);
    }

    private void restartOnHosts(String hosts, int ranks, String left, int ranksLeft) throws Exception {
        ProcessRun run = ProcessRun.of(onHosts("[ $1 != b ]", "--hosts", hosts, "-n", Integer.toString(ranks)));
        assertEquals(List.of(hosts, left), starts("--host"), run::describe);
        assertEquals(List.of(Integer.toString(ranks), Integer.toString(ranksLeft)), starts("-n"), run::describe);
        assertEquals(ranks != ranksLeft, run.errors().contains("ranks instead of " + ranks), run::describe);
    }

    /** One that doesn't come out of a root folder must be named to what starts the job there. */
    @Test
    void aJobHasOneFolderForAllOfItsOwnFiles() throws Exception {
        ProcessRun run = ProcessRun.of(onHosts("exit", "-n", "1"));
        String[] start = Files.readAllLines(folder.resolve("starts")).getFirst().split(" ", -1);
        assertEquals(Path.of(start[0]), Path.of(start[1]).getParent(), run::describe);
    }

    /** Its launcher is killed while it asks which hosts answer. */
    @Test
    void aJobThatIsKilledBetweenTwoStartsLeavesNoFolder() throws Exception {
        Process launcher = onHosts("echo asked > '" + folder + "/asked'; sleep 1", "--hosts", "a", "-n", "1")
                .inheritIO()
                .start();
        awaitThat(() -> Files.exists(folder.resolve("asked")));
        launcher.destroyForcibly().waitFor();
        Path own = Path.of(Files.readAllLines(folder.resolve("starts")).getFirst().split(" ", -1)[0]);
        assertTrue(own.toString().contains("restorej"), own::toString);
        awaitThat(() -> !Files.exists(own));
    }

    private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
        for (long end = System.nanoTime() + MAX_NANOS; !condition.getAsBoolean(); Thread.sleep(10)) {
            assertTrue(System.nanoTime() < end, "in time");
        }
    }

    /** What watches a job may send a signal when it has just ended. */
    @Test
    void aSignalThatComesLateEndsNothing() throws Exception {
        ProcessRun run = ProcessRun.of(new ProcessBuilder("bash", "-euc",
                "for part in tools job; do . \"$0/$part.sh\"; done; run_job 0 1 true; "
                        + "for late in ALRM USR1 USR2; do kill -$late $$; done; run_job 0 1 true; echo \"$job_status.\"",
                ProjectFolder.script("lib").toString()));
        assertEquals("0.\n", run.output(), run::describe);
    }

    private int count() throws IOException {
        return Files.readAllLines(folder.resolve("starts")).size();
    }
}

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
    @CsvSource(delimiter = '|', value = {
            "0 | 1 | 0", "2 | 1 | 2", "75 | 1 | 75", "75 stopped 7 | 1 | 75", "75 lost 7, 0 | 2 | 0",
            "137 | 4 | 137", "9, 0 | 2 | 0", "4 exception 7 | 2 | 4", "4 exception 7, 4 exception 8, 0 | 3 | 0",
            "4 exception 7, 137, 4 exception 7, 0 | 4 | 0"})
    void whatAJobEndsWithDecides(String ends, int starts, int exitCode) throws Exception {
        MpiFlavour.MPICH.require();
        String cases = Arrays.stream(ends.split(", ")).map(end -> end.split(" ", 2))
                .map(end -> (end.length > 1 ? "echo " + end[1] + " > $RESTOREJ_JOB_STATE; " : "") + "exit " + end[0])
                .collect(Collectors.joining("\n", "", "\n"));
        Path list = Files.writeString(folder.resolve("ends"), cases);
        Path program = Files.writeString(folder.resolve("program"), "#!/bin/bash\necho start >> '" + folder
                + "/starts'\neval \"$(cat '" + list
                + "' | sed -n \"$((RESTOREJ_RESTART_COUNT + 1))p;\\$p\" | head -n 1)\"\n");
        assertTrue(program.toFile().setExecutable(true));
        ProcessRun run = ProcessRun.script(Map.of(), "mpirun-java", "--mpi", "mpich", "-n", "1", "--restarts", "3",
                "--program", program.toString());
        assertEquals(starts, count(), run::describe);
        assertEquals(exitCode, run.exitCode(), run::describe);
        assertEquals(ends.equals("4 exception 7"),
                run.errors().contains("has thrown an exception in iteration 7 again: the job is not started again"),
                run::describe);
    }

    /** Hosts that don't answer get no ranks, also those of an allocation of Slurm. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"hosts=a:2,b:2,c:2 | 4 --x --host a:2,c:2",
            "hosts=a:3,c:3 | 6 --x --host a:3,c:3",
            "hosts= SLURM_JOB_NODELIST=x SLURM_TASKS_PER_NODE='4(x2),2' | 6 --x --host a:4,c:2"})
    void aRestartUsesHostsThatAnswer(String given, String expected) throws Exception {
        Path asked = Files.writeString(folder.resolve("agent"), "#!/bin/sh\n[ $1 != b ]\n");
        assertTrue(asked.toFile().setExecutable(true));
        ProcessRun run = ProcessRun.of(new ProcessBuilder("bash", "-euc",
                "for part in tools mpi restarts; do . \"$0/$part.sh\"; "
                        + "done; scontrol() { printf '%s\\n' a b c; }; one_node=false mpi=openmpi job_folder=$1 agent=asked ranks=6; "
                        + "first_placement=(--x) RESTOREJ_JOB_STATE=$1/state; " + given.replace(" S", "; S")
                        + "; prepare_restart; echo \"$ranks ${placement[*]}\"",
                ProjectFolder.script("lib").toString(),
                folder.toString()));
        assertEquals(expected + "\n", run.output(), run::describe);
    }

    /** A launcher of Open MPI that notes how it was called, and what starts its daemons: a host called b has gone. */
    private ProcessRun onHosts(String... options) throws Exception {
        Path home = folder.resolve("mpi");
        Files.createDirectories(home.resolve("bin"));
        Path launcher = Files.writeString(home.resolve("bin/mpirun"), "#!/bin/sh\n[ \"$1\" != --version ] || exec echo"
                + " 'mpirun (Open MPI) 4.9.1'\necho \"$@\" >> '" + folder + "/starts'\nexit 9\n");
        Path agent = Files.writeString(folder.resolve("agent"), "#!/bin/sh\n[ $1 != b ]\n");
        assertTrue(launcher.toFile().setExecutable(true) && agent.toFile().setExecutable(true));
        List<String> arguments = new ArrayList<>(List.of("--mpi", "openmpi", "--restarts", "1", "--agent",
                agent.toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--program", "/bin/true"));
        return ProcessRun.script(Map.of("OMPI_HOME", home.toString(), "XDG_CACHE_HOME", folder.resolve("cache")
                .toString()), "mpirun-java", arguments.toArray(String[]::new));
    }

    /** What each start has after an option. */
    private List<String> starts(String option) throws IOException {
        return Files.readAllLines(folder.resolve("starts")).stream()
                .map(line -> Pattern.compile("(?<=" + option + " )\\S+").matcher(line).results()
                        .map(MatchResult::group).collect(Collectors.joining(" and ")))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a:2,b:2,c:2 | 6 | a:2,c:2 | 4", "a:3,c:3 | 6 | a:3,c:3 | 6",
            "a,c | 8 | a,c | 8", "a,b,c | 9 | a,c | 6", "a:2,b:1 | 2 | a:2 | 2", "a,b:3 | 3 | a | 1"})
    void aRestartIsOnTheHostsLeftWithTheirShareOfTheRanks(String hosts, int ranks, String left, int ranksLeft)
            throws Exception {
        ProcessRun run = onHosts("--hosts", hosts, "-n", Integer.toString(ranks));
        assertEquals(List.of(hosts, left), starts("--host"), run::describe);
        assertEquals(List.of(Integer.toString(ranks), Integer.toString(ranksLeft)), starts("-n"), run::describe);
        assertEquals(ranks != ranksLeft, run.errors().contains("ranks instead of " + ranks), run::describe);
    }

    private int count() throws IOException {
        return Files.readAllLines(folder.resolve("starts")).size();
    }
}

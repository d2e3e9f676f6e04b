package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Programs that aren't Java. */
class ProgramStartIT {
    @TempDir
    private Path folder = Path.of("");

    private record Run(int exitCode, List<String> lines) {}

    private Run start(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-n", "3", "--timeout", "60", "--program", program.toString()));
        all.addAll(List.of(arguments));
        return run(all);
    }

    private Run run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.script("mpirun-java").toString()));
        command.addAll(arguments);
        ProcessRun run = ProcessRun
                .of(new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true));
        return new Run(run.exitCode(), run.output().lines().sorted().toList());
    }

    @Test
    void theLauncherStartsAProgramOfAnotherLanguageAsItStartsJava() throws Exception {
        MpiFlavour.OPEN_MPI.require();
        Path program = ProcessRun.writeScript(folder.resolve("a program"), """
                #!/bin/sh
                echo "rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE, yields $OMPI_MCA_mpi_yield_when_idle: $1+$2"
                exit 0
                """);
        assertEquals(new Run(0, List.of("rank 0 of 3, yields 1: two words+-n", "rank 1 of 3, yields 1: two words+-n",
                "rank 2 of 3, yields 1: two words+-n")), start(program, "two words", "-n"));
    }

    @Test
    void theLauncherRefusesAFileThatIsNoProgram() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "text");
        Run run = start(text);
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.lines().stream()
                .anyMatch(line -> line.contains("--program must be an executable file: " + text)), run::toString);
    }

    /** Under MPICH, whose launcher ends at once with a program that fails. */
    @Test
    void aProgramOfTheWorkingFolderIsStartedAndItsExitCodeIsTheJobs() throws Exception {
        MpiFlavour.MPICH.require();
        ProcessRun.writeScript(folder.resolve("sleep"), "#!/bin/sh\necho it is ours\nexit 7\n");
        Run run = run(List.of("--mpi", "mpich", "-n", "1", "--timeout", "60", "--program", "sleep", "1"));
        assertEquals(7, run.exitCode(), run::toString);
        assertTrue(run.lines().contains("it is ours"), run::toString);
    }

    @Test
    void theLauncherRefusesWhatIsForJava() throws Exception {
        Path program = ProcessRun.writeScript(folder.resolve("a=b"), "#!/bin/sh\n");
        Run run = run(List.of("-n", "1", "--vm", "-Xint", "--cp", "x.jar", "--program", program.toString()));
        assertEquals(2, run.exitCode(), run::toString);
        for (String mistake : List.of("--vm is for Java, and not for --program: -Xint",
                "--cp is for Java, and not for --program: x.jar", "--program must be a path without =: ")) {
            assertTrue(run.lines().stream().anyMatch(line -> line.contains(mistake)), run::toString);
        }
    }
}

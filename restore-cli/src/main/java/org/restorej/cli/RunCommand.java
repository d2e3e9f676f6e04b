package org.restorej.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.ShippedScripts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code run}: starts ranks of a Java program, as {@code bin/mpirun-java} does. */
@Command(name = "run", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        description = "Starts a Java program on ranks of an MPI, as bin/mpirun-java does, whose options it has "
                + "('restore run -- --help'). A program whose class path lacks the library gets that of this jar.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the job ended well", "1:the job failed, or something is missing", "2:wrong options"},
        footer = {"%nExamples:", "  restore run -n 4 --cp app.jar Main",
                "  restore run --mpi ulfm -n 4 --cp app.jar Main"})
final class RunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "WORD", arity = "0..*", description = "Options, the main class and its arguments.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        return ShippedScripts.run("mpirun-java", words);
    }
}

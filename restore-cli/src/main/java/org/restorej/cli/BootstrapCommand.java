package org.restorej.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.ShippedScripts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code bootstrap}: installs an MPI, as {@code bin/bootstrap} does. */
@Command(name = "bootstrap", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        description = "Makes an MPI available, as bin/bootstrap does, whose options it has "
                + "('restore bootstrap -- --help'); --check changes nothing.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:all is there", "1:something is missing", "2:wrong options"},
        footer = {"%nExamples:", "  restore bootstrap --check", "  restore bootstrap --ulfm"})
final class BootstrapCommand implements Callable<Integer> {
    @Parameters(paramLabel = "OPTION", arity = "0..*", description = "Which MPIs, and how.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        return ShippedScripts.run("bootstrap", words);
    }
}

package org.restorej.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The script that lets a shell complete commands and options. */
@Command(name = "completion", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        description = "Prints a script that lets bash and zsh complete commands and options.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:printed", "2:wrong options"},
        footer = {"%nExamples:", "  restore completion > ~/.restore-completion",
                "%nThen let .bashrc or .zshrc say: source ~/.restore-completion"})
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        if (!errors.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        spec.commandLine().getOut().print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}

package org.restorej.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.restorej.cli.command.AddedCommand;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.OptionValues;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.doctor.DoctorCommand;
import org.restorej.cli.plan.PlanCommand;
import org.restorej.cli.plan.SimulateCommand;
import org.restorej.cli.redset.RedsetCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command line of the project: {@code restore plan ...}, {@code restore redset verify DIR}, and commands that
 * modules on the class path add.
 */
@Command(name = "restore", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, subcommands = {
        RedsetCommand.class,
        PlanCommand.class,
        SimulateCommand.class,
        DoctorCommand.class,
        RunCommand.class,
        StopCommand.class,
        BootstrapCommand.class},
        description = "ReStore for Java: keeps the data of MPI programs alive in the "
                + "memory of their ranks.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:all went well",
                "1:a run failed, or files are damaged", "2:wrong options or input",
                "3:files can't be recovered"},
        footer = {"%nExamples:", "  restore doctor",
                "  restore plan --pes 96 --bytes-per-pe 16MiB",
                "  restore redset verify DIR", "%n'restore COMMAND --help' tells more.",
                "Demos and benchmarks: 'bin/demo --help', 'bin/bench --help'."})
public final class RestoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Option(names = CommandErrors.VERBOSE, scope = ScopeType.INHERIT,
            description = "When a run fails, say where in the program too.")
    @SuppressWarnings("UnusedVariable") // CommandErrors reads it, as the value of the option.
    private boolean verbose;

    /**
     * Runs a command and exits: 0 for success, 1 if a run failed, 2 for invalid options or input. For redset's codes
     * see {@link RedsetCommand}.
     */
    public static void main(String[] arguments) {
        PrintWriter output = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter errors = new PrintWriter(System.err, true, System.err.charset());
        int exitCode = run(output, errors, arguments);
        if (output.checkError()) {
            errors.println("restore: the results could not be written to standard output");
            exitCode = Math.max(exitCode, CommandLine.ExitCode.SOFTWARE);
        }
        errors.flush();
        System.exit(exitCode);
    }

    /**
     * Runs a command.
     *
     * @param output for results only
     * @param errors for everything else
     * @return the exit code
     */
    public static int run(PrintWriter output, PrintWriter errors, String... arguments) {
        CommandLine commandLine = commandLine(output, errors);
        try {
            return commandLine.execute(completed(commandLine, arguments));
        } catch (OutOfMemoryError | StackOverflowError error) {
            return CommandErrors.report(commandLine.getCommandSpec(), error, CommandLine.ExitCode.SOFTWARE);
        }
    }

    /** All commands, ready to parse. */
    public static CommandLine commandLine(PrintWriter output, PrintWriter errors) {
        CommandLine commandLine = new CommandLine(new RestoreCommand());
        ServiceLoader.load(AddedCommand.class).forEach(commandLine::addSubcommand);
        commandLine.setOut(output);
        commandLine.setErr(errors);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // Arguments of a program that is run are passed on unchanged.
        commandLine.setExpandAtFiles(false);
        OptionValues.registerAt(commandLine);
        // The scripts behind these commands parse the options.
        for (String passing : List.of("run", "bootstrap")) {
            Objects.requireNonNull(commandLine.getSubcommands().get(passing), passing)
                    .setUnmatchedOptionsArePositionalParams(true).setStopAtPositional(true);
        }
        // Errors that picocli finds and errors that a command finds are reported together.
        commandLine.getSubcommands().values()
                .forEach(own -> forAll(own, command -> command.getCommandSpec().parser().collectErrors(true)));
        commandLine.setParameterExceptionHandler((wrong, words) -> CommandErrors
                .usage(wrong.getCommandLine().getCommandSpec(), CommandErrors.of(wrong)));
        commandLine.setExecutionExceptionHandler((exception, command, parsed) -> isOfRedset(command)
                ? CommandErrors.report(command.getCommandSpec(), exception, RedsetCommand.exitCodeOf(exception))
                : CommandErrors.report(command.getCommandSpec(), exception, CommandLine.ExitCode.SOFTWARE));
        return commandLine;
    }

    private static boolean isOfRedset(CommandLine command) {
        CommandLine parent = command.getParent();
        return parent != null && parent.getCommand() instanceof RedsetCommand;
    }

    private static void forAll(CommandLine commandLine, Consumer<CommandLine> action) {
        action.accept(commandLine);
        commandLine.getSubcommands().values().forEach(subcommand -> forAll(subcommand, action));
    }

    /** The arguments of a command line, with optional ones added. */
    public static String[] completed(CommandLine commandLine, String... arguments) {
        List<String> words = List.of(arguments);
        for (CommandLine each : commandLine.getSubcommands().values()) {
            if (each.getCommand() instanceof AddedCommand added) {
                words = added.completed(words);
            }
        }
        return words.toArray(String[]::new);
    }

    @Override
    public Integer call() {
        return CommandErrors.noCommand(spec);
    }
}

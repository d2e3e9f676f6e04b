package org.restorej.redset.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Looks after directories of redundancy files without MPI. Exit codes: 0 whole, 1 damaged and repairable or repaired, 2
 * wrong usage, 3 not recoverable.
 */
@Command(name = "redset", description = "Inspects, verifies and rebuilds files that redset protects.", mixinStandardHelpOptions = true, subcommands = {
        InfoCommand.class, ListCommand.class, VerifyCommand.class,
        RebuildCommand.class})
public final class RedsetCommand {
    /** Everything is there. */
    public static final int WHOLE = 0;
    /** Something was damaged, and can be or was repaired. */
    public static final int REPAIRABLE = 1;
    /** The command was not understood. */
    public static final int USAGE = 2;
    /** Something is lost. */
    public static final int LOST = 3;

    /** Runs a command line and returns its exit code; the output goes to the writers of the command line returned. */
    public static CommandLine commandLine() {
        return new CommandLine(new RedsetCommand()).setExecutionExceptionHandler((failure, commandLine, result) -> {
            commandLine.getErr().println("redset: " + failure.getMessage());
            return LOST;
        });
    }

    /**
     * Entry point.
     *
     * @param arguments command, options, directory
     */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }
}

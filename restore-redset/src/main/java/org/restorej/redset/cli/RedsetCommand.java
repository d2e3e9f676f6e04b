package org.restorej.redset.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;

/**
 * Looks after directories of redundancy files without MPI. Exit codes: 0 whole, 1 damaged and repairable or repaired, 2
 * wrong usage, 3 not recoverable.
 */
@Command(name = "redset", description = "Inspects, verifies and rebuilds files that redset protects.", mixinStandardHelpOptions = true, subcommands = {
        InfoCommand.class, ListCommand.class, VerifyCommand.class,
        RebuildCommand.class}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {"0:whole",
                "1:damaged and can be rebuilt, or was rebuilt", "2:wrong usage",
                "3:can't be recovered"}, footer = {"%nExamples:", "  restore redset info DIR",
                        "  restore redset rebuild DIR"})
public final class RedsetCommand {
    /** Everything is there. */
    public static final int WHOLE = 0;
    /** Something was damaged, and can be or was repaired. */
    public static final int REPAIRABLE = 1;
    /** The command was not understood. */
    public static final int USAGE = 2;
    /** Something is lost. */
    public static final int LOST = 3;

    /**
     * Says why a command could not be done.
     *
     * @return the exit code
     */
    public static int report(PrintWriter errors, Exception failure) {
        errors.println("redset: " + failure.getClass().getSimpleName() + ": " + failure.getMessage());
        errors.flush();
        return LOST;
    }
}

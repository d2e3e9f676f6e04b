package org.restorej.redset.cli;

import java.util.concurrent.Callable;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.coding.MemberRebuild;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Looks after directories of redundancy files, of redset or of SCR itself, without MPI; explains configurations. Exit
 * codes: 0 whole, 1 damaged and repairable or repaired, 2 wrong usage or no set, 3 not recoverable, 4 failed for
 * another reason.
 */
@Command(name = "redset",
        description = {
                "After a node was lost, 'restore redset rebuild DIR...' rebuilds the files that it had, from the "
                        + "redundancy in the directories that are left.",
                "Also inspects and verifies files that redset or SCR "
                        + "protects, and explains configurations."},
        mixinStandardHelpOptions = true, subcommands = {
                InfoCommand.class, ListCommand.class, VerifyCommand.class,
                RebuildCommand.class, ConfigCommand.class},
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {"0:whole",
                "1:damaged and can be rebuilt, or was rebuilt", "2:wrong usage, or no set in DIR",
                "3:can't be recovered", "4:failed for another reason, such as a full disk"},
        footer = {"%nExamples:",
                "  restore redset rebuild DIR",
                "  restore redset info DIR", "  restore redset config scr.conf --checkpoint 16"})
public final class RedsetCommand implements Callable<Integer> {
    /** Everything is there. */
    public static final int WHOLE = 0;
    /** Something was damaged, and can be or was repaired. */
    public static final int REPAIRABLE = 1;
    /** The command was not understood, or there is no set. */
    public static final int USAGE = 2;
    /** Something is lost. */
    public static final int LOST = 3;
    /** Something else is in the way, such as a full disk. */
    public static final int FAILED = 4;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** What a failure means for the exit code: few of them say that something is lost. */
    public static int exitCodeOf(Exception failure) {
        return failure instanceof IrrecoverableFilesException || failure instanceof MemberRebuild.WrongRebuildException
                ? LOST
                : FAILED;
    }

    /** Refuses to do nothing. */
    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is needed after '" + spec.qualifiedName()
                + "': one of " + String.join(", ", spec.subcommands().keySet()));
    }
}

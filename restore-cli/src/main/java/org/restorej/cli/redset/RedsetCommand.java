package org.restorej.cli.redset;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.internal.coding.MemberRebuild;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code redset}: inspects, verifies and rebuilds directories of redundancy files, of redset or of SCR
 * itself, without MPI, and reads configurations. Exit codes: 0 whole, 1 damaged and repairable or repaired, 2 wrong
 * usage or no set, 3 not recoverable, 4 failed for another reason.
 */
@Command(name = "redset",
        description = {
                "After a node was lost, 'restore redset rebuild DIR...' rebuilds the files that it had, from the "
                        + "redundancy in the directories that are left.",
                "Also inspects and verifies files that redset or SCR "
                        + "protects, and says what a configuration of SCR means."},
        mixinStandardHelpOptions = true, scope = ScopeType.INHERIT,
        subcommands = {RebuildCommand.class, ConfigCommand.class},
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {"0:whole",
                "1:damaged and can be rebuilt, or was rebuilt",
                "2:wrong usage, no set in DIR, or it isn't known where lost files go",
                "3:can't be recovered",
                "4:failed for another reason, such as a full disk or a file that can't be read"},
        footer = {"%nExamples:",
                "  restore redset rebuild DIR",
                "  restore redset info DIR", "  restore redset config scr.conf --checkpoint 16"})
public final class RedsetCommand implements Callable<Integer> {
    /** Exit code: nothing is missing. */
    public static final int WHOLE = 0;
    /** Exit code: there is or was damage that can be or was repaired. */
    public static final int REPAIRABLE = 1;
    /** Exit code: wrong usage, or no set was found. */
    public static final int USAGE = 2;
    /** Exit code: files are lost. */
    public static final int LOST = 3;
    /** Exit code: another failure, such as a full disk. */
    public static final int FAILED = 4;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The exit code of two findings together. That something is lost counts most. */
    static int worse(int exitCode, int other) {
        return exitCode == LOST || other == LOST ? LOST : Math.max(exitCode, other);
    }

    /** The exit code of a failure. Most failures don't mean that files are lost. */
    public static int exitCodeOf(Exception failure) {
        return failure instanceof IrrecoverableFilesException || failure instanceof MemberRebuild.WrongRebuildException
                ? LOST
                : FAILED;
    }

    @Command(name = "info", description = "Says what is there and what is missing, by names and sizes.",
            footer = {"%nExamples:",
                    "  restore redset info DIR", "  restore redset info --json DIR"})
    int info(@Mixin DirectoryOptions options) throws IOException {
        return options.print(options.find(options.open()::inspect));
    }

    @Command(name = "verify", description = "As info, and reads everything to find changed contents. Writes nothing.",
            footer = {"%nExamples:",
                    "  restore redset verify DIR", "  restore redset verify --map /old=/new --json DIR"})
    int verify(@Mixin DirectoryOptions options) throws IOException {
        return options.print(options.find(options.open()::verify));
    }

    @Command(name = "list", description = "Lists all files that belong to the sets, whether they are there or not.",
            footer = {"%nExamples:",
                    "  restore redset list DIR", "  restore redset list --json DIR"})
    int list(@Mixin DirectoryOptions options) throws IOException {
        return options.printFiles(options.find(options.open()::inspect));
    }

    /** Rejects a call without a command. */
    @Override
    public Integer call() {
        return CommandErrors.noCommand(spec);
    }
}

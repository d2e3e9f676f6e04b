package org.restorej.redset.cli;

import java.util.concurrent.Callable;
import org.restorej.redset.internal.offline.OfflineRedset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** As info, and reads all contents. */
@Command(name = "verify", description = "As info, and reads everything to find changed contents. Writes nothing.",
        mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:whole", "1:damaged, and can be rebuilt", "2:wrong usage, or no set in DIR", "3:can't be recovered",
                "4:failed for another reason, such as a full disk"},
        footer = {"%nExamples:",
                "  restore redset verify DIR", "  restore redset verify --map /old=/new --json DIR"})
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        return options.print(command.commandLine().getOut(), options.find(OfflineRedset::verify));
    }
}

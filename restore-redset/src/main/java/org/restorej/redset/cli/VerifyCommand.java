package org.restorej.redset.cli;

import java.util.concurrent.Callable;
import org.restorej.redset.offline.OfflineRedset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** As info, and reads all contents. */
@Command(name = "verify", description = "As info, and reads everything to find changed contents. Writes nothing.", mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open();
        return SetTable.print(command.commandLine().getOut(), redset.scan(), redset.verify());
    }
}

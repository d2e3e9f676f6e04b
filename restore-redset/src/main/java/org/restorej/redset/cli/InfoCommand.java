package org.restorej.redset.cli;

import java.util.concurrent.Callable;
import org.restorej.redset.offline.OfflineRedset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What is there and what is missing, by names and sizes. */
@Command(name = "info", description = "Says what is there and what is missing, by names and sizes.", mixinStandardHelpOptions = true)
final class InfoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open();
        return SetTable.print(command.commandLine().getOut(), redset.scan(), redset.inspect());
    }
}

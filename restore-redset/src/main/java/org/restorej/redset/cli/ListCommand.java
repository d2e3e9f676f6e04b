package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.offline.OfflineRedset;
import org.restorej.redset.offline.SetInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Every file that belongs to the sets. */
@Command(name = "list", description = "Lists all files that belong to the sets, whether they are there or not.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open();
        PrintWriter out = command.commandLine().getOut();
        int exitCode = RedsetCommand.WHOLE;
        for (SetInspection inspection : redset.inspect()) {
            for (MemberLocation location : inspection.locations()) {
                location.files().forEach(file -> out.println("data        " + file));
                print(out, "redundancy  ", location.redundancy());
                print(out, "descriptor  ", location.descriptor());
                print(out, "checksums   ", location.checksums());
            }
            boolean lost = inspection.state() == SetInspection.State.LOST;
            boolean whole = inspection.state() == SetInspection.State.WHOLE;
            exitCode = Math.max(exitCode,
                    lost ? RedsetCommand.LOST : whole ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE);
        }
        out.flush();
        return exitCode;
    }

    private static void print(PrintWriter out, String kind, Path file) {
        out.println(kind + file);
    }
}

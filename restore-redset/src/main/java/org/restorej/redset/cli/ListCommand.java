package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.offline.OfflineRedset;
import org.restorej.redset.offline.SetInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Every file that belongs to the sets. */
@Command(name = "list", description = "Lists all files that belong to the sets, whether they are there or not.", mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:whole", "1:damaged, and can be rebuilt", "2:wrong usage", "3:can't be recovered"}, footer = {"%nExamples:",
                "  restore redset list DIR", "  restore redset list --json DIR"})
final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open();
        PrintWriter out = command.commandLine().getOut();
        Interruptions interruptions = new Interruptions(redset.interruptedHere());
        List<SetInspection> inspections = interruptions.explain(redset.inspect());
        if (options.json()) {
            SetJson.printFiles(out, inspections);
            return SetFindings.exitCode(inspections);
        }
        for (SetInspection inspection : inspections) {
            for (MemberLocation location : inspection.locations()) {
                location.files().forEach(file -> out.println("data        " + file));
                print(out, "redundancy  ", location.redundancy());
                print(out, "descriptor  ", location.descriptor());
                print(out, "checksums   ", location.checksums());
            }
        }
        out.flush();
        return SetFindings.exitCode(inspections);
    }

    private static void print(PrintWriter out, String kind, Path file) {
        out.println(kind + file);
    }
}

package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.offline.OfflineDirectories;
import org.restorej.redset.internal.offline.SetInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Every file that belongs to the sets. */
@Command(name = "list", description = "Lists all files that belong to the sets, whether they are there or not.",
        mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:whole", "1:damaged, and can be rebuilt", "2:wrong usage, or no set in DIR", "3:can't be recovered",
                "4:failed for another reason, such as a full disk"},
        footer = {"%nExamples:",
                "  restore redset list DIR", "  restore redset list --json DIR"})
final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Override
    public Integer call() throws Exception {
        OfflineDirectories directories = options.open();
        PrintWriter out = command.commandLine().getOut();
        Interruptions interruptions = new Interruptions(directories.interruptedHere());
        SetFindings findings = SetFindings.of(directories.inspect(), interruptions);
        if (options.json()) {
            SetJson.printFiles(out, findings);
            return findings.exitCode();
        }
        if (findings.isNothing()) {
            return options.print(out, findings);
        }
        for (SetInspection inspection : findings.sets()) {
            for (MemberLocation location : inspection.locations()) {
                location.files().forEach(file -> out.println("data        " + file));
                print(out, "redundancy  ", location.redundancy());
                location.small().ifPresent(small -> {
                    print(out, "descriptor  ", small.descriptor());
                    print(out, "checksums   ", small.checksums());
                });
            }
        }
        findings.stale().keySet().forEach(file -> print(out, "stale       ", file));
        out.flush();
        findings.problems().forEach(command.commandLine().getErr()::println);
        return findings.exitCode();
    }

    private static void print(PrintWriter out, String kind, Path file) {
        out.println(kind + file);
    }
}

package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.restorej.redset.internal.offline.OfflineRedset;
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
        PrintWriter out = command.commandLine().getOut();
        SetFindings findings = options.find(OfflineRedset::inspect);
        if (options.json()) {
            SetJson.printFiles(out, findings);
            return findings.exitCode();
        }
        if (findings.isNothing()) {
            return options.print(out, findings);
        }
        findings.files().forEach(file -> out.printf(Locale.ROOT, "%-12s%s%n", file.kind(), file.path()));
        out.flush();
        PrintWriter err = command.commandLine().getErr();
        findings.sets().stream().filter(set -> set.state() != SetInspection.State.WHOLE)
                .forEach(set -> SetTable.printDamages(err, set));
        err.flush();
        findings.problems().forEach(command.commandLine().getErr()::println);
        return findings.exitCode();
    }
}

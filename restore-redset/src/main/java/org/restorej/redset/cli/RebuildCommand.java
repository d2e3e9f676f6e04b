package org.restorej.redset.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.restorej.redset.coding.Progress;
import org.restorej.redset.offline.OfflineRedset;
import org.restorej.redset.offline.SetInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies, then rebuilds what is damaged. */
@Command(name = "rebuild", description = "Verifies, and rebuilds what is missing or damaged.", mixinStandardHelpOptions = true)
final class RebuildCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Option(names = "--no-progress", description = "show no progress bar")
    private boolean noProgress;

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open();
        PrintWriter out = command.commandLine().getOut();
        for (Path journal : redset.settleInterrupted()) {
            out.println(journal + ": files were being replaced when all processes ended; that was brought to an end");
        }
        List<SetInspection> inspections = redset.verify();
        int exitCode = SetTable.print(out, redset.scan(), inspections);
        for (SetInspection inspection : inspections) {
            if (inspection.state() == SetInspection.State.REPAIRABLE) {
                rebuild(redset, inspection);
                out.println("rebuilt: set " + (inspection.place().group() + 1L) + " of " + inspection.prefix() + "*");
            }
        }
        out.flush();
        return exitCode;
    }

    private void rebuild(OfflineRedset redset, SetInspection inspection) throws Exception {
        boolean terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
        if (noProgress || !terminal) {
            redset.rebuild(inspection, Progress.NONE);
            return;
        }
        try (RebuildBar bar = new RebuildBar(redset.workBytes(inspection))) {
            redset.rebuild(inspection, bar);
        }
    }
}

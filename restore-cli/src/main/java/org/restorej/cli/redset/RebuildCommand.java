package org.restorej.cli.redset;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.TerminalBar;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code rebuild}: verifies, then rebuilds what is damaged. */
@Command(name = "rebuild", description = "Verifies, and rebuilds what is missing or damaged.",
        footer = {"%nExamples:",
                "  restore redset rebuild DIR", "  restore redset rebuild NODE0 NODE1 NODE2 EMPTY",
                "  restore redset rebuild --no-progress --json DIR"})
final class RebuildCommand implements Callable<Integer> {
    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private DirectoryOptions options = new DirectoryOptions();

    @Option(names = "--no-progress", description = "show no progress bar")
    private boolean noProgress;

    @Option(names = "--partial", description = "rebuild what can be when something else can't be recovered")
    private boolean partial;

    @Option(names = "--restore-owners",
            description = "as root: give files to the owner and group recorded beside them; only where nobody else can "
                    + "write to DIR")
    private boolean restoreOwners;

    private final List<String> rebuilt = new ArrayList<>();
    private final List<IOException> failures = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        OfflineRedset redset = options.open(
                restoreOwners ? FileOperations.restoringOwners() : FileOperations.system());
        SetFindings findings = SetFindings.of(OfflineRedset.Content.NONE);
        boolean refused = false;
        try (OfflineRedset.Settled settled = redset.settleInterrupted()) {
            findings = options.find(settled::verify);
            refused = findings.isNothing() || (findings.exitCode() > RedsetCommand.REPAIRABLE && !partial);
            if (!refused) {
                settled.keep();
                say(settled.journals().stream().map(journal -> journal
                        + ": files were being replaced when all ranks ended; that was brought to an end").toList());
                if (!options.json()) {
                    options.print(findings);
                }
                rebuild(findings);
            }
        } catch (IOException failure) {
            failures.add(failure);
        }
        // After the files were moved back, which may fail, too.
        if (refused && !options.json()) {
            sayWhyNot(findings);
        }
        return end(findings);
    }

    /** Reports failures, and all in JSON. */
    private int end(SetFindings findings) {
        int exitCode = failures.stream().mapToInt(RedsetCommand::exitCodeOf)
                .reduce(findings.exitCode(), RedsetCommand::worse);
        if (options.json()) {
            SetJson.print(out(), findings, exitCode,
                    failures.stream().map(failure -> String.valueOf(failure.getMessage())).toList(), rebuilt);
        }
        failures.forEach(failure -> CommandErrors.report(command, failure, exitCode));
        return exitCode;
    }

    private void sayWhyNot(SetFindings findings) {
        options.print(findings);
        if (findings.content().sets().stream().anyMatch(set -> set.state() == SetInspection.State.REPAIRABLE)) {
            say(List.of("nothing was rebuilt, since not all can be: --partial rebuilds what can be"));
        }
        out().flush();
    }

    /** Rebuilds what can be. The failure of one set holds up no other. */
    private void rebuild(SetFindings findings) {
        for (SetInspection inspection : findings.content().sets()) {
            if (inspection.state() == SetInspection.State.REPAIRABLE) {
                try {
                    rebuild(inspection);
                    rebuilt.add(inspection.name().shown());
                    say(List.of("rebuilt: " + rebuilt.getLast()));
                } catch (IOException failure) {
                    failures.add(failure);
                }
            }
        }
    }

    private PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Prints lines, except in JSON output, where the exit code tells the same. */
    private void say(List<String> lines) {
        if (!options.json()) {
            lines.forEach(out()::println);
            out().flush();
        }
    }

    private void rebuild(SetInspection inspection) throws IOException {
        List<TerminalBar> shown = new ArrayList<>();
        try {
            inspection.rebuild(totalBytes -> {
                if (noProgress || !TerminalBar.isTerminal()) {
                    return bytes -> {};
                }
                TerminalBar bar = new TerminalBar("rebuild", totalBytes);
                shown.add(bar);
                LongAdder done = new LongAdder();
                return bytes -> {
                    done.add(bytes);
                    bar.stepTo(done.sum(), "bytes");
                };
            });
        } finally {
            // Also after a failure, whose message has a line of its own.
            shown.forEach(TerminalBar::close);
        }
    }
}

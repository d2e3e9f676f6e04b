package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProcessAnswer;
import org.restorej.cli.command.ProgramVersion;
import org.restorej.cli.command.ShippedScripts;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code doctor}: checks prerequisites. */
@Command(name = "doctor", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class, sortOptions = false,
        description = "Checks prerequisites, and prints the command that fixes each missing one. Changes nothing.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:checked, whatever is missing", "2:wrong options"},
        footer = {"%nExample:", "  restore doctor"})
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<String> errors = CommandErrors.ofParsing(spec);
        if (!errors.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        Machine machine = new Machine(new SharedMemory(Path.of("/dev/shm")), mpis(), JavaOnPath.ofProcess(),
                Machine.ISAL);
        List<Finding> findings = machine.examine().stream()
                .map(finding -> finding.fixedBy("bin/bootstrap", ShippedScripts.commandFor("bootstrap"))).toList();
        spec.commandLine().getOut().print(text(findings));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    private static MpiFindings mpis() {
        ProcessAnswer installed;
        try {
            installed = ProcessAnswer.onMpis(ShippedScripts.root());
        } catch (IOException unpackable) {
            installed = ProcessAnswer.troubled("the scripts that find it can't be unpacked: " + unpackable);
        }
        return new MpiFindings(installed, LibraryQuestion::ofJvm);
    }

    /** The report as text: a line for each finding, and one for its fix. */
    static String text(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(row(finding.state().toString(), finding.name(), finding.found()));
            if (finding.state() != Finding.State.OK) {
                text.append(row("", "", "needed for: " + finding.neededFor()));
                finding.fix().ifPresent(command -> text.append(row("", "", "fix: " + command)));
            }
        }
        return text.toString();
    }

    private static String row(String state, String name, String words) {
        return String.format(Locale.ROOT, "%-9s %-18s %s%n", state, name, words);
    }
}

package org.restorej.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.restorej.comm.PeFailedException;
import org.restorej.comm.mpi.MpiUnavailableException;
import org.restorej.demo.transport.MpiRank;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** How commands say what is wrong: a line for each mistake, and exit code 2; a stack trace only for mistakes of ours. */
public final class CommandErrors {
    private CommandErrors() {}

    /** What picocli found wrong with a command line. */
    public static List<String> ofParsing(CommandSpec spec) {
        Set<String> messages = new LinkedHashSet<>();
        ParseResult level = spec.root().commandLine().getParseResult();
        while (level != null) {
            level.errors().forEach(error -> messages.add(String.valueOf(error.getMessage())));
            level = level.hasSubcommand() ? level.subcommand() : null;
        }
        return new ArrayList<>(messages);
    }

    /**
     * Reports mistakes of the user, on the first rank only.
     *
     * @return the exit code; that of a job is the first rank's
     */
    public static int usage(CommandSpec spec, List<String> messages) {
        if (MpiRank.isThis() && !MpiRank.isFirst()) {
            // All ranks find the same mistakes. Were another one the first to fail, mpirun might end the first before it
            // has said what is wrong.
            return ExitCode.OK;
        }
        print(spec.commandLine().getErr(), messages);
        return ExitCode.USAGE;
    }

    static int noCommand(CommandSpec spec) {
        List<String> messages = ofParsing(spec);
        messages.add("a command is needed after '" + spec.qualifiedName() + "': one of "
                + String.join(", ", spec.subcommands().keySet()));
        return usage(spec, messages);
    }

    /** Reports what a command threw, and returns the exit code. */
    static int report(PrintWriter errors, Exception thrown) {
        Optional<String> mistake = mistake(thrown);
        if (mistake.isPresent()) {
            print(errors, List.of(mistake.get()));
            return ExitCode.USAGE;
        }
        thrown.printStackTrace(errors);
        return ExitCode.SOFTWARE;
    }

    private static Optional<String> mistake(Throwable thrown) {
        if (thrown instanceof InvalidInputException || thrown instanceof MpiUnavailableException) {
            return Optional.of(String.valueOf(thrown.getMessage()));
        }
        return thrown instanceof PeFailedException failure && failure.getCause() != null
                ? mistake(failure.getCause())
                : Optional.empty();
    }

    private static void print(PrintWriter errors, List<String> messages) {
        messages.forEach(message -> errors.println("restore: " + message));
        errors.flush();
    }
}

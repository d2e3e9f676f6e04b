package org.restorej.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.comm.mpi.Mpi;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.RedsetException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reports errors of commands: a line for each, and the stack trace only on request. */
public final class CommandErrors {
    /** The option of the root command that prints stack traces. */
    public static final String VERBOSE = "--verbose";

    private CommandErrors() {}

    /** The errors that picocli found in a command line. */
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
     * Reports errors in the command line, on the first rank only.
     *
     * @return the exit code; that of a job is the first rank's
     */
    public static int usage(CommandSpec spec, List<String> messages) {
        if (Mpi.wasLaunched() && !isFirstRank()) {
            // All ranks find the same errors. If another rank failed first, mpirun might end the first rank before it
            // has printed them.
            return ExitCode.OK;
        }
        print(spec.commandLine().getErr(), messages);
        return ExitCode.USAGE;
    }

    /**
     * Reports that a subcommand is missing.
     *
     * @return the exit code
     */
    public static int noCommand(CommandSpec spec) {
        List<String> messages = ofParsing(spec);
        messages.add("a command is needed after '" + spec.qualifiedName() + "': one of "
                + String.join(", ", spec.subcommands().keySet()));
        return usage(spec, messages);
    }

    /** The errors that picocli found, including the one that it has thrown. */
    public static List<String> of(ParameterException wrong) {
        Set<String> messages = new LinkedHashSet<>(ofParsing(wrong.getCommandLine().getCommandSpec()));
        String.valueOf(wrong.getMessage()).lines().forEach(messages::add);
        return new ArrayList<>(messages);
    }

    /**
     * Reports an exception of a command in a line, with a stack trace if {@code --verbose} is set.
     *
     * @param failed exit code unless the user's input was invalid
     * @return the exit code
     */
    public static int report(CommandSpec spec, Throwable thrown, int failed) {
        PrintWriter errors = spec.commandLine().getErr();
        if (isVerbose(spec)) {
            thrown.printStackTrace(errors);
        }
        Throwable reason = reason(thrown);
        print(errors, List.of(inOneLine(reason)));
        return reason instanceof InvalidInputException || reason instanceof Mpi.UnavailableException
                ? ExitCode.USAGE
                : failed;
    }

    private static boolean isVerbose(CommandSpec spec) {
        OptionSpec option = spec.root().findOption(VERBOSE);
        return option != null && Boolean.TRUE.equals(option.getValue());
    }

    /** The cause of exceptions that only wrap another one. */
    private static Throwable reason(Throwable thrown) {
        Throwable reason = thrown;
        while (reason.getCause() != null
                && (reason instanceof PeFailedException || reason instanceof UncheckedIOException)) {
            reason = reason.getCause();
        }
        return reason;
    }

    private static String inOneLine(Throwable reason) {
        String message = String.valueOf(reason.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
        return switch (reason) {
            case InvalidInputException _ -> message;
            case Mpi.UnavailableException _ -> message;
            case UnwritableFileException _ -> message;
            case RedsetException _ -> message;
            case IrrecoverableFilesException _ -> message;
            case OutOfMemoryError _ -> "out of memory: " + message;
            case StackOverflowError _ -> "the stack is too small; is the input nested deeply?";
            case IOException _ -> reason.getClass() == IOException.class
                    ? message
                    : reason.getClass().getSimpleName() + ": " + message;
            default -> "failed by " + reason.getClass().getName() + ": " + message + " (" + VERBOSE
                    + " says where)";
        };
    }

    /** Whether this is rank 0 of a job, by the environment variables of the launcher. */
    private static boolean isFirstRank() {
        return Stream.of("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK").map(System::getenv)
                .filter(rank -> rank != null).findFirst().filter("0"::equals).isPresent();
    }

    private static void print(PrintWriter errors, List<String> messages) {
        messages.forEach(message -> errors.println("restore: " + message));
        errors.flush();
    }
}

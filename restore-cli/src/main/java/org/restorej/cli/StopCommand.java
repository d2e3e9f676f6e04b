package org.restorej.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.restorej.cli.command.CommandErrors;
import org.restorej.cli.command.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code stop}: asks a job whose loop saves in files to end after saving. */
@Command(name = "stop", mixinStandardHelpOptions = true, versionProvider = ProgramVersion.class,
        description = "Asks a job whose loop saves in FOLDER to save and to end, with exit code 75.",
        exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:the job will end at its next checkpoint", "1:the file can't be written",
                "2:wrong options, or FOLDER isn't one of checkpoints"},
        footer = {"%nExample:", "  restore stop /scratch/me/job",
                "%nThe job whose rank 0 sees FOLDER finds the file FOLDER/stop, and renames it to FOLDER/stopped when it ends. "
                        + "Started again, it goes on."})
final class StopCommand implements Callable<Integer> {
    private static final String FILE = "stop";
    /** Ends the name of the folder with the blocks that don't change, where no job looks for the file. */
    private static final String CONSTANT = ".constant";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it.
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "FOLDER", description = "the folder of the job, with checkpoint.* in it")
    private Path folder = Path.of("");

    @Override
    public Integer call() throws IOException {
        List<String> errors = new ArrayList<>(CommandErrors.ofParsing(spec));
        String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        if (errors.isEmpty() && name.endsWith(CONSTANT)) {
            errors.add("FOLDER must be the job's, " + name.substring(0, name.length() - CONSTANT.length())
                    + ", not that of its blocks that don't change: FOLDER=" + folder);
        } else if (errors.isEmpty() && !hasCheckpoints(folder)) {
            errors.add("FOLDER must have checkpoints of a job in it, as STORE/NAME has: FOLDER=" + folder);
        }
        if (!errors.isEmpty()) {
            return CommandErrors.usage(spec, errors);
        }
        Path file = folder.resolve(FILE);
        Files.writeString(file, "");
        spec.commandLine().getOut()
                .println("made " + file + ": a running job whose rank 0 sees this folder ends at its next checkpoint, "
                        + "and no job that begins later; to take that back: rm " + file);
        return ExitCode.OK;
    }

    private static boolean hasCheckpoints(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (var checkpoints = Files.newDirectoryStream(folder, "checkpoint.*")) {
            return checkpoints.iterator().hasNext();
        }
    }
}

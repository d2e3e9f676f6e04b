package org.restorej.demo.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.JobProcess;
import org.restorej.cli.command.ProcessAnswer;
import org.restorej.cli.command.ProjectFolder;

/** Starts this program again, as ranks under an MPI, by the script {@code bin/mpirun-java}. */
public final class MpiLauncher {
    private MpiLauncher() {}

    /**
     * Starts ranks and waits for their end. They have this process's standard streams and class path.
     *
     * @param ranks how many
     * @param choice of the MPI
     * @param properties system properties for them
     * @param mainClass what each runs
     * @param arguments its arguments
     * @param note takes a line for the user when none was chosen, and it isn't the usual one
     * @return the exit code of the job
     * @throws InvalidInputException when there is no such MPI, or no script to start it
     */
    public static int run(int ranks, MpiChoice choice, Map<String, String> properties, Class<?> mainClass,
            List<String> arguments, Consumer<String> note) {
        Path launcher = script("mpirun-java");
        MpiName mpi = choice.of(ProcessAnswer.onMpis(root()));
        if (choice.name().isEmpty() && !choice.mustSurvive() && mpi != MpiName.OPENMPI) {
            note.accept("there is no Open MPI here, so the PEs are processes under " + mpi.title() + " (--mpi " + mpi
                    + ")");
        }
        List<String> command = new ArrayList<>(List.of(launcher.toString(), "--mpi", mpi.toString()));
        properties.forEach((name, value) -> command.addAll(List.of("--vm", "-D" + name + "=" + value)));
        command.addAll(List.of("-n", Integer.toString(ranks), "--restarts", Integer.toString(choice.restarts()), "--cp",
                System.getProperty("java.class.path"),
                mainClass.getName()));
        command.addAll(arguments);
        return exitCode(new ProcessBuilder(command).inheritIO());
    }

    private static Path root() {
        return ProjectFolder.find().orElseThrow(() -> new InvalidInputException(
                "--transport mpi needs the scripts of the project: start with bin/demo or bin/restore, or give this "
                        + "program to mpirun yourself"));
    }

    private static Path script(String name) {
        Path script = root().resolve("bin").resolve(name);
        if (!Files.isExecutable(script)) {
            throw new InvalidInputException("no script to start MPI with: " + script);
        }
        return script;
    }

    private static int exitCode(ProcessBuilder builder) {
        try {
            return JobProcess.exitCode(builder);
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        }
    }
}

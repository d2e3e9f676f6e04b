package org.restorej.demo.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.JobProcess;
import org.restorej.cli.command.ProjectFolder;

/** Starts this program again, as ranks under mpirun, by the script {@code bin/mpirun-java}. */
public final class MpiLauncher {
    private MpiLauncher() {}

    /**
     * Starts ranks and waits for their end. They have this process's standard streams and class path.
     *
     * @param ranks how many
     * @param processesMustDie whether it must be an MPI that survives the death of processes
     * @param properties system properties for them
     * @param mainClass what each runs
     * @param arguments its arguments
     * @return the exit code of the job
     * @throws InvalidInputException when there is no such MPI, or no script to start it
     */
    public static int run(int ranks, boolean processesMustDie, Map<String, String> properties, Class<?> mainClass,
            List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(script("mpirun-java").toString());
        if (processesMustDie) {
            requireUlfm();
            command.add("--ulfm");
        }
        properties.forEach((name, value) -> command.addAll(List.of("--vm", "-D" + name + "=" + value)));
        command.addAll(List.of("-n", Integer.toString(ranks), "--cp", System.getProperty("java.class.path"),
                mainClass.getName()));
        command.addAll(arguments);
        return exitCode(new ProcessBuilder(command).inheritIO());
    }

    private static void requireUlfm() {
        ProcessBuilder check = new ProcessBuilder(script("bootstrap").toString(), "--check", "--ulfm")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        if (exitCode(check) != 0) {
            throw new InvalidInputException("--kill needs an Open MPI that survives the death of processes (ULFM), and "
                    + "there is none: 'bin/bootstrap --ulfm' makes one; --fail simulates failures");
        }
    }

    private static Path script(String name) {
        Path root = ProjectFolder.find().orElseThrow(() -> new InvalidInputException(
                "--transport mpi needs the scripts of the project: start with bin/demo or bin/restore, or give this "
                        + "program to mpirun yourself"));
        Path script = root.resolve("bin").resolve(name);
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

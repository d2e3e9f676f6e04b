package org.restorej.comm.testing.mpi;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What each rank of an {@link MpiJob} runs: sends standard output and error to a file of its own, tells its process id,
 * and calls the main class. When that throws and did not mean to, the process ends at once
 * with exit code 1.
 */
public final class MpiRank {
    private static @Nullable Path folder;
    private static volatile boolean meansToThrow;

    private MpiRank() {}

    /**
     * Runs a main class.
     *
     * @param arguments folder of the job, name of the main class, its arguments
     */
    public static void main(String[] arguments) throws Throwable {
        folder = Path.of(arguments[0]);
        int rank = rank();
        PrintStream output = new PrintStream(new FileOutputStream(outputFile(folder, rank).toFile()), true,
                StandardCharsets.UTF_8);
        System.setOut(output);
        System.setErr(output);
        report(pidFile(folder, rank), Long.toString(ProcessHandle.current().pid()));
        try {
            Class.forName(arguments[1]).getMethod("main", String[].class).invoke(null,
                    (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
        } catch (InvocationTargetException e) {
            Throwable thrown = Objects.requireNonNull(e.getCause());
            if (meansToThrow) {
                throw thrown;
            }
            thrown.printStackTrace();
            report(errorFile(folder, rank), "thrown");
            Runtime.getRuntime().halt(1);
        }
        report(endFile(folder, rank), "returned");
    }

    /** Rank of this process in its job, before MPI is initialised too. */
    public static int rank() {
        return Stream.of("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK").map(System::getenv).filter(Objects::nonNull)
                .mapToInt(Integer::parseInt).findFirst().orElseThrow(() -> new IllegalStateException(
                        "not a rank of an MPI job: neither OMPI_COMM_WORLD_RANK, PMIX_RANK nor PMI_RANK is set"));
    }

    /** From now on what the main class throws is part of the test, and is nobody's here to catch. */
    public static void meansToThrow() {
        meansToThrow = true;
    }

    /** All names with this beginning that {@link MpiJob#tell} has been called with. */
    public static List<String> toldNames(String beginning) {
        String[] names = jobFolder().toFile().list((directory, name) -> name.startsWith(beginning));
        return names == null ? List.of() : List.of(names);
    }

    /** Whether {@link MpiJob#tell} has been called with this name. */
    public static boolean isTold(String name) {
        return Files.exists(jobFolder().resolve(name));
    }

    /** Writes a file into the job's folder, whole or not at all; {@link MpiJob#report} reads it. */
    public static void report(String name, String text) throws IOException {
        report(jobFolder().resolve(name), text);
    }

    private static Path jobFolder() {
        if (folder == null) {
            throw new IllegalStateException("not a rank of an MpiJob");
        }
        return folder;
    }

    private static void report(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.writeString(unfinished, text, StandardCharsets.UTF_8);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static Path outputFile(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".out");
    }

    static Path pidFile(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".pid");
    }

    static Path errorFile(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".error");
    }

    static Path endFile(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".end");
    }
}

package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What has been run on which MPI: a line for each promise that was kept, below {@code target/mpi-runs}.
 * {@code tests/lib/test-summary} counts the lines of all modules.
 */
final class RunTable {
    private RunTable() {}

    /** Of the description of an MPI, its name and version without what it says of failures. */
    private static String name(String description) {
        int end = description.lastIndexOf(": ");
        return (end < 0 ? description : description.substring(0, end)).replaceAll("\\s+", " ");
    }

    /**
     * Notes a success.
     *
     * @param library the MPI's own name and version, if it was told
     * @param subject what the test is about: its package
     * @param which the test, and on how many ranks
     */
    static synchronized void kept(MpiFlavour flavour, Optional<String> library, String subject, String which) {
        Path folder = Path.of("target", "mpi-runs");
        String line = String.join("\t", flavour.displayName(), library.map(RunTable::name).orElse(""), subject, which)
                + "\n";
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(flavour.name() + ".tsv"), line, StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

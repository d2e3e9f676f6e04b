package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The MPIs of this machine, for tests that start one without the project's scripts: what {@code bin/lib/mpi-facts}
 * says.
 */
public final class MpiInstallations {
    private static final Map<String, String> FACTS = ask();

    private MpiInstallations() {}

    private static Map<String, String> ask() {
        try {
            Process process = new ProcessBuilder(ProjectFiles.script("lib/mpi-facts").toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            Map<String, String> facts = new HashMap<>();
            try (var lines = process.inputReader()) {
                lines.lines().forEach(line -> facts.put(line.substring(0, line.indexOf('=')),
                        line.substring(line.indexOf('=') + 1)));
            }
            return Map.copyOf(facts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is known by a key, as {@code mpich_mpirun}; an empty text when nothing is. */
    public static String fact(String key) {
        return FACTS.getOrDefault(key, "");
    }

    /**
     * Skips the calling test, aloud, where an MPI isn't there.
     *
     * @param name as {@code bin/mpirun-java --mpi} knows it
     */
    public static void require(String name) {
        if (!List.of(fact("available").split(" ")).contains(name)) {
            String missing = "######## NOT TESTED: there is no MPI here that bin/mpirun-java --mpi " + name + " knows; "
                    + "bin/bootstrap --help says what makes one";
            System.err.println(missing);
            Assumptions.abort(missing);
        }
    }
}

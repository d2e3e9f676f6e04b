package org.restorej.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Which Open MPI, or MPICH in its place, the scripts find.
 *
 * @param values by key, as {@code bin/lib/openmpi-facts} says them
 * @param trouble why they could not be asked
 */
record OpenMpiFacts(Map<String, String> values, Optional<String> trouble) {
    private static final long TIMEOUT_SECONDS = 30;
    private static final String RUNS = "runs on several processes (--transport mpi)";
    private static final String CALLS = "programs that call Open MPI's Java bindings (mpi.*)";
    private static final String KILLS = "real failures of processes (--kill)";

    /** Copies what can change. */
    OpenMpiFacts {
        values = Map.copyOf(values);
    }

    private static OpenMpiFacts troubled(String trouble) {
        return new OpenMpiFacts(Map.of(), Optional.of(trouble));
    }

    /**
     * Asks a script; waits for it for half a minute at most.
     *
     * @param script writes key=value lines
     * @param environment changes to this process's environment
     */
    static OpenMpiFacts ask(Path script, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(script.toString()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Path answer = Files.createTempFile("restorej-doctor", ".txt");
            try {
                return answerOf(builder.redirectOutput(answer.toFile()).start(), answer);
            } finally {
                Files.delete(answer);
            }
        } catch (IOException unstartable) {
            return troubled(script + " can't be run: " + unstartable.getMessage());
        }
    }

    private static OpenMpiFacts answerOf(Process process, Path answer) throws IOException {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                return troubled("mpirun or ompi_info did not answer within " + TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            return troubled("interrupted");
        }
        String text = new String(Files.readAllBytes(answer), StandardCharsets.UTF_8);
        return process.exitValue() == 0 ? parsed(text) : troubled(text.strip());
    }

    /** Reads key=value lines; a key without a value is not there. */
    static OpenMpiFacts parsed(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0 && equals < line.length() - 1) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return new OpenMpiFacts(values, Optional.empty());
    }

    /** What follows for Open MPI, its Java bindings, and ULFM. */
    List<Finding> findings() {
        if (trouble.isPresent()) {
            return List.of(Finding.unknown("Open MPI", trouble.get(), RUNS),
                    Finding.unknown("Java bindings", "Open MPI could not be asked", CALLS),
                    Finding.unknown("ULFM", "Open MPI could not be asked", KILLS));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(mpi());
        findings.add(bindings());
        findings.add(values.containsKey("ulfm_version")
                ? Finding.ok("ULFM", "Open MPI " + values.get("ulfm_version") + ", " + values.get("ulfm_mpirun"), KILLS)
                : Finding.missing("ULFM", "no Open MPI that survives the death of processes", KILLS,
                        "bin/bootstrap --ulfm"));
        return findings;
    }

    private Finding mpi() {
        if (values.containsKey("version")) {
            return Finding.ok("Open MPI", values.get("version") + ", " + values.get("mpirun"), RUNS);
        }
        return values.containsKey("mpich_version")
                ? Finding.ok("MPICH", values.get("mpich_version") + ", " + values.get("mpich_mpirun"), RUNS)
                : Finding.missing("Open MPI", "no mpirun of Open MPI on the PATH, in OMPI_HOME or OPAL_PREFIX, and "
                        + "no MPICH", RUNS, "bin/bootstrap");
    }

    private Finding bindings() {
        List<String> lacking = new ArrayList<>();
        if (!values.containsKey("library_folder")) {
            lacking.add("libmpi_java.so");
        }
        if (!values.containsKey("mpi_jar")) {
            lacking.add("mpi.jar");
        }
        return lacking.isEmpty()
                ? Finding.ok("Java bindings", values.get("mpi_jar") + ", " + values.get("library_folder"), CALLS)
                : Finding.missing("Java bindings", "no " + String.join(" and no ", lacking), CALLS,
                        "bin/bootstrap --bindings");
    }
}

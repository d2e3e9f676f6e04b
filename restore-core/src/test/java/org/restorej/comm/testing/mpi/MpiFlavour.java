package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * The kinds of MPI that tests run on. One that isn't there is said aloud, and its tests are skipped; or they fail, when
 * {@code -Drestorej.require.mpi=true} or {@code -Drestorej.require.ulfm=true} says that it must be there.
 */
public enum MpiFlavour {
    /** The Open MPI of the machine; a process that dies takes the job with it. */
    OPEN_MPI("Open MPI", "", "restorej.require.mpi"),
    /** Open MPI with ULFM; processes may die. */
    ULFM("Open MPI with ULFM", "--ulfm", "restorej.require.ulfm");

    private static final long CHECK_TIMEOUT_SECONDS = 300;

    /** What is missing, of those that were looked for; an empty text when nothing is. */
    private static final Map<MpiFlavour, String> MISSING = new EnumMap<>(MpiFlavour.class);

    private final String displayName;
    private final String option;
    private final String requiredBy;

    MpiFlavour(String displayName, String option, String requiredBy) {
        this.displayName = displayName;
        this.option = option;
        this.requiredBy = requiredBy;
    }

    /** What selects it on the command lines of the scripts in {@code bin}. */
    List<String> options() {
        return option.isEmpty() ? List.of() : List.of(option);
    }

    /** Skips the calling test where this MPI isn't there, or fails it where it must be. */
    public void require() {
        String missing = missing();
        if (missing.isEmpty()) {
            return;
        }
        if (Boolean.getBoolean(requiredBy)) {
            throw new AssertionError(missing);
        }
        Assumptions.abort(missing);
    }

    private String missing() {
        synchronized (MISSING) {
            return MISSING.computeIfAbsent(this, flavour -> {
                String missing = flavour.findMissing();
                if (!missing.isEmpty()) {
                    System.err.println(missing);
                }
                return missing;
            });
        }
    }

    private String findMissing() {
        String command = "bin/bootstrap " + option;
        String report = check();
        return report.isEmpty()
                ? ""
                : ("######## NOT TESTED on " + displayName + ", which is not available here: " + report.strip()
                        + "\n######## '" + command.strip() + "' makes it available; -D" + requiredBy
                        + "=true turns this into a failure");
    }

    /** Empty when it is there, else what is missing. */
    private String check() {
        List<String> command = new ArrayList<>(List.of(ProjectFiles.script("bootstrap").toString(), "--check"));
        command.addAll(options());
        try {
            Path report = Files.createTempFile("restorej-bootstrap", ".txt");
            try {
                Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(report.toFile())
                        .start();
                if (!process.waitFor(CHECK_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return command + " didn't end within " + CHECK_TIMEOUT_SECONDS + " s";
                }
                String text = Files.readString(report, StandardCharsets.UTF_8);
                return process.exitValue() == 0 ? "" : text.isBlank() ? command + " failed" : text;
            } finally {
                Files.delete(report);
            }
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for " + displayName, e);
        }
    }
}

package org.restorej.comm.testing.mpi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/**
 * The kinds of MPI that tests run on. One that isn't there is said aloud, and its tests are skipped; or they fail, when
 * a property such as {@code -Drestorej.require.mpi=true} says that it must be there.
 */
public enum MpiFlavour {
    /** The Open MPI of the machine; a process that fails takes the job with it. */
    OPEN_MPI("Open MPI", "openmpi", "--openmpi", "mpi"),
    /** The same, called by its Java bindings. */
    BINDINGS("Open MPI by its Java bindings", "openmpi", "--bindings", "bindings"),
    /** Open MPI with ULFM; processes may die. */
    ULFM("Open MPI with ULFM", "ulfm", "--ulfm", "ulfm"),
    /** The same, called by its Java bindings. */
    ULFM_BINDINGS("Open MPI with ULFM by its Java bindings", "ulfm", "--ulfm --bindings", "ulfm.bindings"),
    /** The distribution's MPICH. */
    MPICH("MPICH", "mpich", "--mpich", "mpich"),
    /** Open MPI 6 with ULFM. */
    ULFM_6("Open MPI 6 with ULFM", "ulfm6", "--openmpi6", "openmpi6"),
    /** Open MPI 6. */
    OPEN_MPI_6("Open MPI 6", "openmpi6", "--openmpi6", "openmpi6"),
    /** MPICH 5. */
    MPICH_5("MPICH 5", "mpich5", "--openmpi6", "openmpi6"),
    /** Open MPI 6 with the standard's binary interface. */
    ABI_OPEN_MPI("the standard ABI of Open MPI 6", "abi-openmpi", "--openmpi6", "openmpi6"),
    /** MPICH 5 with the standard's binary interface. */
    ABI_MPICH("the standard ABI of MPICH 5", "abi-mpich", "--openmpi6", "openmpi6");

    /** What most tests of every day's run need: with simulated failures and with real ones. */
    public static final List<MpiFlavour> BASIC = List.of(OPEN_MPI, ULFM);

    /** All others on which failures are simulated. */
    public static final List<MpiFlavour> OTHERS_SIMULATING = Stream.of(values())
            .filter(flavour -> !flavour.survivesFailures() && flavour != OPEN_MPI).toList();

    /** All others on which processes really die. */
    public static final List<MpiFlavour> OTHERS_KILLING = Stream.of(values())
            .filter(flavour -> flavour.survivesFailures() && flavour != ULFM).toList();

    /** What is missing, of those that were looked for; an empty text when nothing is. */
    private static final Map<MpiFlavour, String> MISSING = new EnumMap<>(MpiFlavour.class);

    private final String displayName;
    private final String launched;
    private final String bootstrapOptions;
    private final String requiredBy;

    MpiFlavour(String displayName, String launched, String bootstrapOptions, String requirement) {
        this.displayName = displayName;
        this.launched = launched;
        this.bootstrapOptions = bootstrapOptions;
        this.requiredBy = "restorej.require." + requirement;
    }

    /** Runs tests on several, each in a container with its name. */
    public static Stream<DynamicContainer> onEach(List<MpiFlavour> flavours,
            Function<MpiFlavour, Stream<? extends DynamicNode>> tests) {
        return flavours.stream()
                .map(flavour -> DynamicContainer.dynamicContainer(flavour.displayName(), tests.apply(flavour)));
    }

    /** What selects it on the command line of {@code bin/mpirun-java}. */
    List<String> launchOptions() {
        List<String> options = new ArrayList<>(List.of("--mpi", launched));
        if (isCalledByBindings()) {
            options.addAll(List.of("--vm", "-Drestorej.mpi.transport=bindings"));
        }
        return options;
    }

    /** Whether MPICH's launcher starts its ranks. */
    boolean isMpich() {
        return launched.contains("mpich");
    }

    private boolean isCalledByBindings() {
        return this == BINDINGS || this == ULFM_BINDINGS;
    }

    /** Whether processes really die. */
    public boolean survivesFailures() {
        return this == ULFM || this == ULFM_BINDINGS || this == ULFM_6;
    }

    /** Its name in sentences. */
    public String displayName() {
        return displayName;
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
        String report = check();
        return report.isEmpty() ? "" : notice(report);
    }

    /** One line, whatever the report has: there may be many an MPI that is missing. */
    String notice(String report) {
        String reason = report.lines().map(String::strip).filter(line -> line.startsWith("missing: "))
                .collect(Collectors.joining("; "));
        return "######## NOT TESTED on " + displayName + ", which is not available here ("
                + (reason.isEmpty() ? report.strip().replaceAll("\\s+", " ") : reason) + "): 'bin/bootstrap "
                + bootstrapOptions + "' makes it available, -D" + requiredBy
                + "=true turns this into a failure";
    }

    /** Empty when it is there, else what is missing. */
    private String check() {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.script("bootstrap").toString(), "--check"));
        command.addAll(List.of(bootstrapOptions.split(" ")));
        try {
            ProcessRun run = ProcessRun.of(new ProcessBuilder(command).redirectErrorStream(true));
            return run.exitCode() == 0 ? "" : run.output().isBlank() ? command + " failed" : run.output();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for " + displayName, e);
        }
    }
}

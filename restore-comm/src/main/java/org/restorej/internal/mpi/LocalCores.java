package org.restorej.internal.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds out whether each rank of a node has a core of its own. */
final class LocalCores {
    /** Number of tasks of one node, or of several: "4", "3(x2),2". */
    private static final Pattern TASKS = Pattern.compile("(?:^|,)([0-9]{1,9})");

    /** Cores: "3", "0-3". */
    private static final Pattern RANGE = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

    private LocalCores() {}

    /**
     * Whether this node has more ranks than cores and the ranks move between cores, so that waiting ranks must yield.
     * Ranks that the launcher has bound to cores are not affected. Open MPI's mpirun, hydra and Slurm report the number
     * of ranks of a node; other launchers don't.
     */
    static boolean areShared(Map<String, String> environment) {
        int ranks = ranksOfNode(environment);
        return ranks > 1 && ranks > Runtime.getRuntime().availableProcessors() && !isBound();
    }

    /** Upper bound on the number of ranks of this node; 1 if the launcher doesn't report it. */
    static int ranksOfNode(Map<String, String> environment) {
        for (String variable : new String[]{"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                "SLURM_STEP_TASKS_PER_NODE"}) {
            String tasks = environment.get(variable);
            if (tasks != null) {
                return TASKS.matcher(tasks).results().mapToInt(found -> Integer.parseInt(found.group(1))).max()
                        .orElse(1);
            }
        }
        return 1;
    }

    /**
     * Whether the launcher has bound this process, which may then use fewer cores than the launcher. A limit of both,
     * such as that of a container, is not a binding.
     */
    private static boolean isBound() {
        return Ancestors.ofProcess().stream().filter(Ancestors::startsRanks).findFirst()
                .filter(launcher -> isBound(ProcessHandle.current().pid(), launcher.pid(), LocalCores::allowedCores))
                .isPresent();
    }

    /**
     * Whether a process may use fewer cores than another one. The launcher itself may be limited briefly, while it
     * examines one core after the other.
     *
     * @param allowed by process id
     */
    static boolean isBound(long process, long launcher, LongFunction<Optional<String>> allowed) {
        Optional<String> own = allowed.apply(process);
        Optional<String> others = allowed.apply(launcher);
        return own.isPresent() && others.isPresent() && count(own.get()) < count(others.get());
    }

    /** The number of cores in a list such as "0-3,8". */
    static int count(String cores) {
        return RANGE.matcher(cores).results().mapToInt(range -> {
            int first = Integer.parseInt(range.group(1));
            return range.group(2) == null ? 1 : Integer.parseInt(range.group(2)) - first + 1;
        }).sum();
    }

    private static Optional<String> allowedCores(long process) {
        Pattern field = Pattern.compile("Cpus_allowed_list:\\s*(\\S+)");
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process), "status"))) {
            return lines.map(field::matcher).filter(Matcher::matches).map(found -> found.group(1)).findFirst();
        } catch (IOException e) {
            // Another system than Linux.
            return Optional.empty();
        }
    }
}

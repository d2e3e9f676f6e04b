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

/** Whether the ranks of a node have a core each. */
final class LocalCores {
    /** Of one node, or of several: "4", "3(x2),2". */
    private static final Pattern TASKS = Pattern.compile("(?:^|,)([0-9]{1,9})");

    /** Of cores: "3", "0-3". */
    private static final Pattern RANGE = Pattern.compile("([0-9]+)(?:-([0-9]+))?");

    private LocalCores() {}

    /**
     * Whether the ranks of this node outnumber its cores and move between them, so that whoever waits must yield. Ranks
     * that the launcher has bound to cores are left alone: it knows what it does. How many ranks a node has tell Open
     * MPI's mpirun, hydra and Slurm; other launchers don't.
     */
    static boolean areShared(Map<String, String> environment) {
        int ranks = ranksOfNode(environment);
        return ranks > 1 && ranks > Runtime.getRuntime().availableProcessors() && !isBound();
    }

    /** The ranks of this node, at most; 1 where the launcher doesn't tell. */
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

    /** Whether this process may use fewer cores than its launcher: what confines both, as a container, binds nobody. */
    private static boolean isBound() {
        return Ancestors.ofProcess().stream().filter(Ancestors::startsRanks).findFirst()
                .filter(launcher -> isBound(ProcessHandle.current().pid(), launcher.pid(), LocalCores::allowedCores))
                .isPresent();
    }

    /**
     * Whether a process may use fewer cores than another one. The launcher may have fewer for a moment, while it looks
     * at one core after the other.
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

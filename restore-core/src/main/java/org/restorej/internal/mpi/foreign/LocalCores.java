package org.restorej.internal.mpi.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the ranks of a node have a core each. */
final class LocalCores {
    private LocalCores() {}

    /**
     * Whether the ranks of this node outnumber its cores and move between them, so that whoever waits must yield. Ranks
     * that the launcher has bound to cores are left alone: it knows what it does.
     */
    static boolean areShared(Map<String, String> environment) {
        int ranks = Stream.of("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS").map(environment::get)
                .filter(text -> text != null && text.matches("[0-9]{1,9}")).mapToInt(Integer::parseInt).findFirst()
                .orElse(1);
        return ranks > Runtime.getRuntime().availableProcessors() && !isBound();
    }

    private static boolean isBound() {
        Optional<String> allowed = allowedCores();
        try {
            String online = Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
            return allowed.isPresent() && !allowed.get().equals(online);
        } catch (IOException e) {
            // Another system than Linux.
            return false;
        }
    }

    private static Optional<String> allowedCores() {
        String field = "Cpus_allowed_list:";
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(field)).map(line -> line.substring(field.length()).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

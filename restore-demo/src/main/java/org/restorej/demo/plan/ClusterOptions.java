package org.restorej.demo.plan;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a cluster, as they were given; {@link ClusterLayout} is what they mean. */
final class ClusterOptions {
    @Option(names = "--pes", required = true, paramLabel = "P", description = "Number of PEs, that is MPI ranks.")
    @Nullable
    Integer pes;

    @Option(names = "--ranks-per-node", paramLabel = "N", description = "Consecutive ranks on a node (default: 1).")
    @Nullable
    Integer ranksPerNode;

    @Option(names = "--nodes-per-rack", paramLabel = "N", description = "Consecutive nodes in a rack (default: racks don't fail as a whole).")
    @Nullable
    Integer nodesPerRack;

    /** What the options mean, or nothing when some are wrong. */
    Optional<ClusterLayout> layout(List<String> errors) {
        int before = errors.size();
        require("--pes", pes, ClusterLayout.MOST_PES, errors);
        require("--ranks-per-node", ranksPerNode, ClusterLayout.MOST_PES, errors);
        require("--nodes-per-rack", nodesPerRack, ClusterLayout.MOST_PES, errors);
        if (pes == null || errors.size() > before) {
            return Optional.empty();
        }
        return Optional.of(new ClusterLayout(pes, ranksPerNode == null ? 1 : ranksPerNode,
                nodesPerRack == null ? 0 : nodesPerRack));
    }

    /** Number of PEs when that was given, and is possible; otherwise 0. */
    int knownPes() {
        return pes == null || pes < 1 || pes > ClusterLayout.MOST_PES ? 0 : pes;
    }

    /** Reports a number that was given and is out of bounds. */
    static void require(String option, @Nullable Integer value, int most, List<String> errors) {
        if (value != null && (value < 1 || value > most)) {
            errors.add(option + " must be in 1.." + most + ": " + option + "=" + value);
        }
    }
}

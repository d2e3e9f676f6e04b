package org.restorej.cli.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a cluster as given; {@link ClusterLayout} has their meaning. */
final class ClusterOptions {
    @Option(names = "--pes", required = true, paramLabel = "P", description = "Number of ranks.")
    @Nullable
    Integer pes;

    @Option(names = "--ranks-per-node", paramLabel = "N", description = "Ranks on a node (default: 1).")
    @Nullable
    Integer ranksPerNode;

    @Option(names = "--nodes-per-rack", paramLabel = "N",
            description = "Consecutive nodes in a rack (default: racks don't fail as a whole).")
    @Nullable
    Integer nodesPerRack;

    @Option(names = "--layout", defaultValue = "by-node", paramLabel = "LAYOUT",
            description = "Which rank is on which node: by-node fills one after the other, round-robin deals ranks "
                    + "out (default: ${DEFAULT-VALUE}).")
    String ranks = RankLayout.BY_NODE.toString();

    @Option(names = "--failure-domains",
            description = "Plan for a store to which every rank names its node, and its rack with --nodes-per-rack "
                    + "(ReStoreBuilder.failureDomain).")
    boolean tellsDomains;

    /** The layout, or empty if some options are invalid. */
    Optional<ClusterLayout> layout(List<String> errors) {
        int before = errors.size();
        require("--pes", pes, ClusterLayout.MAX_PES, errors);
        require("--ranks-per-node", ranksPerNode, ClusterLayout.MAX_PES, errors);
        require("--nodes-per-rack", nodesPerRack, ClusterLayout.MAX_PES, errors);
        Optional<RankLayout> layout = Arrays.stream(RankLayout.values())
                .filter(known -> known.toString().equals(ranks)).findFirst();
        if (layout.isEmpty()) {
            errors.add("--layout must be by-node or round-robin: --layout=" + ranks);
        }
        if (pes == null || errors.size() > before || layout.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ClusterLayout(pes, ranksPerNode == null ? 1 : ranksPerNode,
                nodesPerRack == null ? 0 : nodesPerRack, layout.get(), tellsDomains));
    }

    /** Number of ranks if it was given and is valid; otherwise 0. */
    int knownPes() {
        return pes == null || pes < 1 || pes > ClusterLayout.MAX_PES ? 0 : pes;
    }

    /** Reports a number that was given and is out of bounds. */
    static void require(String option, @Nullable Integer value, int most, List<String> errors) {
        if (value != null && (value < 1 || value > most)) {
            errors.add(option + " must be in 1.." + most + ": " + option + "=" + value);
        }
    }
}

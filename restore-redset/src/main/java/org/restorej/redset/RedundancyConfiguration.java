package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Several redundancy descriptors, with the failure groups and stores to which they refer. Built in code, or by
 * {@link ScrConfigurationParser}.
 *
 * @param descriptors at least one; their intervals differ, and one is 1, so that every checkpoint has a descriptor
 * @param failureGroups by host, the label of that host for each kind of failure group that the configuration defines
 * @param keepCounts by store, the number of checkpoints that are kept there
 * @param defaultKeepCount the number for other stores, at least 1
 */
public record RedundancyConfiguration(List<RedundancyDescriptor> descriptors,
        Map<String, Map<String, String>> failureGroups,
        Map<Path, Integer> keepCounts, int defaultKeepCount) {
    /** The kind of failure group that consists of the ranks of one host. */
    public static final String GROUP_NODE = "NODE";
    /** The kind of failure group that consists of all ranks; only for SINGLE. */
    public static final String GROUP_WORLD = "WORLD";

    /** A configuration has errors; all of them are listed. */
    public static final class ConfigurationException extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient List<Problem> problems;

        /**
         * An error in a line.
         *
         * @param line its number, from 1; 0 for the configuration as a whole
         * @param message name, rule, value
         */
        public record Problem(int line, String message) {
            @Override
            public String toString() {
                return line == 0 ? message : "line " + line + ": " + message;
            }
        }

        /**
         * Creates the exception with all errors of a configuration.
         *
         * @param problems all of them, in order of lines
         */
        public ConfigurationException(List<Problem> problems) {
            super(String.join(System.lineSeparator(), problems.stream().map(Problem::toString).toList()));
            this.problems = List.copyOf(problems);
        }

        /** All errors, in order of lines. */
        public List<Problem> problems() {
            return problems;
        }
    }

    /** Copies the collections and checks the rules. */
    public RedundancyConfiguration {
        descriptors = List.copyOf(descriptors);
        Map<String, Map<String, String>> copied = new HashMap<>();
        failureGroups.forEach((host, labels) -> copied.put(host, Map.copyOf(labels)));
        failureGroups = Map.copyOf(copied);
        keepCounts = Map.copyOf(keepCounts);
        Set<Long> intervals = new HashSet<>();
        for (RedundancyDescriptor descriptor : descriptors) {
            if (!intervals.add(descriptor.interval())) {
                throw new IllegalArgumentException("two descriptors have the interval " + descriptor.interval());
            }
        }
        if (!intervals.contains(1L)) {
            throw new IllegalArgumentException("one descriptor must have the interval 1: intervals=" + intervals);
        }
        if (defaultKeepCount < 1) {
            throw new IllegalArgumentException(
                    "defaultKeepCount must be at least 1: defaultKeepCount=" + defaultKeepCount);
        }
    }

    /** A configuration of descriptors only, which keeps one checkpoint in each store. */
    public static RedundancyConfiguration of(RedundancyDescriptor... descriptors) {
        return new RedundancyConfiguration(List.of(descriptors), Map.of(), Map.of(), 1);
    }

    /** The descriptor of a checkpoint: the one with the largest interval that divides its id. */
    public RedundancyDescriptor forCheckpoint(long checkpointId) {
        return descriptors.stream()
                .filter(descriptor -> checkpointId % descriptor.interval() == 0)
                .max(Comparator.comparingLong(RedundancyDescriptor::interval))
                .orElseThrow(() -> new IllegalStateException("interval 1 divides everything"));
    }

    /** Number of checkpoints that are kept in a store. */
    public int keepCount(Path store) {
        return keepCounts.getOrDefault(store, defaultKeepCount);
    }

    /**
     * The label of a host for a kind of failure group; hosts with the same label fail together.
     *
     * @return empty if the configuration doesn't have that host or kind
     */
    public Optional<String> failureGroup(String kind, String host) {
        return switch (kind) {
            case GROUP_NODE -> Optional.of(host);
            case GROUP_WORLD -> Optional.of(GROUP_WORLD);
            default -> Optional.ofNullable(failureGroups.getOrDefault(host, Map.of()).get(kind));
        };
    }
}

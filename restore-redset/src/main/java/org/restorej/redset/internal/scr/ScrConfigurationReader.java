package org.restorej.redset.internal.scr;

import org.restorej.redset.internal.scr.Line.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/** Reads configurations in the format of SCR, as described in {@code ScrConfigurationParser}. Used once. */
public final class ScrConfigurationReader {
    private static final System.Logger LOG = System.getLogger(ScrConfigurationReader.class.getName());
    private static final Set<String> CHECKPOINT_KEYS = Set.of("CKPT", "ENABLED", "INTERVAL", "GROUP", "STORE", "TYPE",
            "SET_SIZE", "SET_FAILURES", "REPLICAS", "CHECKSUMS", "OUTPUT", "BYPASS");
    private static final Set<String> FAILURE_KEYS = Set.of("SET_FAILURES", "REPLICAS", "CHECKSUMS");
    /** The value of {@code SCR_COPY_TYPE} that selects the {@code CKPT} lines. */
    private static final String TYPE_OF_LINES = "FILE";
    private static final String DEFAULT_TYPE = "XOR";
    /** The default of SCR since release 3, whose files are redset's. */
    private static final String DEFAULT_STORE = "/dev/shm";

    private final Problems problems = new Problems();
    private final Map<String, Line.Entry> parameters = new HashMap<>();
    private final Map<String, Line> checkpoints = new HashMap<>();
    private final Stores stores = new Stores();
    private final Map<String, Map<String, String>> failureGroups = new HashMap<>();
    /** Ignored descriptors, with the reasons. */
    private final List<String> passedOver = new ArrayList<>();
    /** By kind of failure group: the label of this host from the environment. */
    private final Map<String, String> environmentLabels = new HashMap<>();
    private final Map<String, String> environment;
    private final String host;

    private ScrConfigurationReader(Map<String, String> environment, String host) {
        this.environment = environment;
        this.host = host;
    }

    /**
     * Reads a configuration. Logs a warning for ignored descriptors.
     *
     * @param text its lines; a byte order mark is dropped
     * @param environment of this process: overrides parameters, replaces variables in values, and may have failure
     *        groups of the host
     * @param host name of this host
     * @throws ConfigurationException with all errors, if there are any
     */
    public static RedundancyConfiguration read(String text, Map<String, String> environment, String host)
            throws ConfigurationException {
        return new ScrConfigurationReader(environment, host).readAll(text);
    }

    private RedundancyConfiguration readAll(String text) throws ConfigurationException {
        List<String> lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Line.read(i + 1, lines.get(i), environment, problems).ifPresent(this::add);
        }
        stores.read(problems);
        Line.Entry cacheSize = parameter("SCR_CACHE_SIZE", "1");
        int keepCount = (int) problems.number(cacheSize, "SCR_CACHE_SIZE", 1, Integer.MAX_VALUE, 1);
        List<RedundancyDescriptor> descriptors = parameter("SCR_COPY_TYPE", DEFAULT_TYPE).value()
                .equalsIgnoreCase(TYPE_OF_LINES) ? fromCheckpointLines() : fromParameters();
        // With other errors the missing one may be on an invalid line.
        if (problems.isEmpty() && descriptors.stream().noneMatch(descriptor -> descriptor.interval() == 1)) {
            problems.add(0, Stream.concat(Stream.of("one CKPT line must have INTERVAL=1: intervals "
                    + descriptors.stream().map(RedundancyDescriptor::interval).toList()), passedOver.stream())
                    .collect(Collectors.joining("; ")));
        }
        problems.throwIfAny();
        passedOver.forEach(one -> LOG.log(System.Logger.Level.WARNING, "{0}", one));
        return new RedundancyConfiguration(descriptors, groupsOfHosts(), stores.keepCounts(), keepCount);
    }

    /** The labels from lines, and for this host those from the environment for kinds without lines. */
    private Map<String, Map<String, String>> groupsOfHosts() {
        Map<String, Map<String, String>> groups = new HashMap<>(failureGroups);
        environmentLabels.forEach((kind, label) -> groups.computeIfAbsent(host, absent -> new HashMap<>()).put(kind,
                label));
        return groups;
    }

    private void add(Line line) {
        switch (line.key()) {
            case "CKPT" -> {
                problems.requireKnown(line, CHECKPOINT_KEYS);
                Line other = checkpoints.putIfAbsent(line.name(), line);
                if (other != null) {
                    other.add(line, problems);
                }
            }
            case "STORE" -> stores.add(line, problems);
            case "GROUPS" -> readGroups(line);
            case "CNTLDIR", "CACHEDIR" -> {
                // For SCR's scripts, which check the free space in these directories.
            }
            default -> {
                if (!line.key().startsWith("SCR_") || line.entries().size() != 1) {
                    problems.add(line.number(), "must begin with CKPT, STORE, GROUPS, CNTLDIR or CACHEDIR, or be one "
                            + "SCR_ parameter: " + line.key());
                } else {
                    parameters.putAll(line.entries());
                }
            }
        }
    }

    private void readGroups(Line line) {
        Map<String, String> labels = new HashMap<>();
        line.entries().forEach((key, entry) -> labels.put(key, entry.value()));
        labels.remove(line.key());
        if (failureGroups.putIfAbsent(line.name(), labels) != null) {
            problems.add(line.number(), "GROUPS must name each host once: " + line.name());
        }
    }

    /** The descriptors in SCR's order. Of several with the same interval the first counts. */
    private List<RedundancyDescriptor> fromCheckpointLines() {
        Map<Long, RedundancyDescriptor> byInterval = new LinkedHashMap<>();
        Map<Long, String> names = new HashMap<>();
        for (Line line : checkpoints.values().stream().sorted(Comparator.comparing(Line::name)).toList()) {
            if (line.isDisabled()) {
                passOver(line, "ENABLED=0");
                continue;
            }
            RedundancyDescriptor descriptor = descriptor(line);
            if (descriptor != null && byInterval.putIfAbsent(descriptor.interval(), descriptor) != null) {
                passOver(line, "INTERVAL=" + descriptor.interval() + " is that of CKPT="
                        + names.get(descriptor.interval()) + ", too");
            } else if (descriptor != null) {
                names.put(descriptor.interval(), line.name());
            }
        }
        return List.copyOf(byInterval.values());
    }

    private void passOver(Line line, String why) {
        passedOver.add(line.key() + "=" + line.name() + " doesn't count: line " + line.number() + ": " + why);
    }

    private @Nullable RedundancyDescriptor descriptor(Line line) {
        List<String> failureKeys = FAILURE_KEYS.stream().filter(line.entries()::containsKey).toList();
        if (failureKeys.size() > 1) {
            problems.add(line.number(), "must have only one of SET_FAILURES, REPLICAS and CHECKSUMS");
        }
        Line.Entry store = line.entry("STORE", cacheBase());
        Optional<String> obstacle = obstacle(store);
        if (obstacle.isPresent()) {
            passOver(line, obstacle.get());
            return null;
        }
        Line.Entry failures = failureKeys.isEmpty()
                ? failures()
                : line.entries().get(failureKeys.getFirst());
        Wishes wishes = new Wishes(line.number(), line.entry("INTERVAL", Line.Entry.byDefault("1")),
                line.entry("GROUP", group()), store,
                new SchemeWish(line.entry("TYPE", Line.Entry.byDefault(DEFAULT_TYPE)), failures),
                line.entry("SET_SIZE", setSize()));
        return build(wishes);
    }

    private Optional<String> obstacle(Line.Entry store) {
        Path path = problems.path(store, "STORE");
        Path base = problems.path(cacheBase(), "SCR_CACHE_BASE");
        return path == null || base == null ? Optional.empty() : stores.obstacle(path, base);
    }

    private Line.Entry cacheBase() {
        return parameter("SCR_CACHE_BASE", DEFAULT_STORE);
    }

    private Line.Entry group() {
        return parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE);
    }

    private Line.Entry setSize() {
        return parameter("SCR_SET_SIZE", Integer.toString(RedundancyDescriptor.DEFAULT_SET_SIZE));
    }

    private Line.@Nullable Entry failures() {
        Line.Entry said = parameter("SCR_SET_FAILURES", "");
        return said.value().isEmpty() ? null : said;
    }

    private List<RedundancyDescriptor> fromParameters() {
        Line.Entry type = parameter("SCR_COPY_TYPE", DEFAULT_TYPE);
        Optional<String> obstacle = obstacle(cacheBase());
        if (obstacle.isPresent()) {
            problems.add(cacheBase().line(), cacheBase().named("SCR_CACHE_BASE")
                    + " must be a store that can be used: " + obstacle.get());
            return List.of();
        }
        Wishes wishes = new Wishes(type.line(), Line.Entry.byDefault("1"), group(), cacheBase(),
                new SchemeWish(type, failures()), setSize());
        RedundancyDescriptor descriptor = build(wishes);
        return descriptor == null ? List.of() : List.of(descriptor);
    }

    /** The parts of a descriptor. */
    private record Wishes(int line, Line.Entry interval, Line.Entry group, Line.Entry store, SchemeWish scheme,
            Line.Entry setSize) {}

    private @Nullable RedundancyDescriptor build(Wishes wishes) {
        int before = problems.count();
        int line = wishes.line();
        Path store = problems.path(wishes.store(), "STORE");
        long interval = problems.number(wishes.interval(), "INTERVAL", 1, Long.MAX_VALUE, 1);
        int setSize = (int) problems.number(wishes.setSize(), "SET_SIZE", 1, Integer.MAX_VALUE,
                RedundancyDescriptor.DEFAULT_SET_SIZE);
        requireGroup(wishes.group());
        Scheme scheme = wishes.scheme().read(problems);
        if (store == null || scheme == null || problems.count() > before) {
            return null;
        }
        try {
            return new RedundancyDescriptor(interval, wishes.group().value(), store, scheme, setSize);
        } catch (IllegalArgumentException inconsistent) {
            problems.add(line, String.valueOf(inconsistent.getMessage()));
            return null;
        }
    }

    private void requireGroup(Line.Entry entry) {
        String group = entry.value();
        if (group.equals(RedundancyConfiguration.GROUP_NODE) || group.equals(RedundancyConfiguration.GROUP_WORLD)
                || failureGroups.values().stream().anyMatch(labels -> labels.containsKey(group))) {
            return;
        }
        EnvironmentGroups groups = new EnvironmentGroups(environment);
        groups.label(group).ifPresentOrElse(label -> environmentLabels.put(group, label),
                () -> problems.add(entry.line(), entry.named("GROUP")
                        + " must be NODE, WORLD, or known by GROUPS lines or the environment: " + group
                        + "; there is " + groups.missing(group)));
    }

    /** A parameter. The environment overrides lines. */
    private Line.Entry parameter(String name, String byDefault) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty()
                ? parameters.getOrDefault(name, Line.Entry.byDefault(byDefault))
                : Line.Entry.ofEnvironment(name, value);
    }

    /**
     * The parts of a scheme.
     *
     * @param type its name
     * @param failures number of replicas or checksums, or null for the default
     */
    record SchemeWish(Line.Entry type, Line.@Nullable Entry failures) {
        private static final int DEFAULT_REPLICAS = 1;
        private static final int DEFAULT_CHECKSUMS = 2;

        /** The scheme, or null if it is invalid. */
        @Nullable
        Scheme read(Problems problems) {
            try {
                return switch (Problems.upperCase(type.value())) {
                    case "SINGLE" -> withoutNumber(Scheme.single(), problems);
                    case "PARTNER" -> Scheme.partner(number(DEFAULT_REPLICAS, problems));
                    case "XOR" -> withoutNumber(Scheme.xor(), problems);
                    case "RS" -> reedSolomon(number(DEFAULT_CHECKSUMS, problems));
                    default -> {
                        problems.add(type.line(), type.named("TYPE") + " must be SINGLE, PARTNER, XOR or RS: "
                                + type.value());
                        yield null;
                    }
                };
            } catch (IllegalArgumentException outOfRange) {
                problems.add((failures == null ? type : failures).line(), String.valueOf(outOfRange.getMessage()));
                return null;
            }
        }

        /** As SCR since release 3: the same redundancy in the simpler format. */
        private static Scheme reedSolomon(int checksums) {
            return checksums == 1 ? Scheme.xor() : Scheme.rs(checksums);
        }

        /** A scheme that ignores the number of failures, which must be valid nevertheless. */
        private Scheme withoutNumber(Scheme scheme, Problems problems) {
            number(1, problems);
            return scheme;
        }

        private int number(int byDefault, Problems problems) {
            return failures == null
                    ? byDefault
                    : (int) problems.number(failures, "SET_FAILURES", 1, Integer.MAX_VALUE, byDefault);
        }
    }

    /** The {@code STORE} lines. Not thread-safe. */
    static final class Stores {
        private static final Set<String> KEYS = Set.of("STORE", "GROUP", "COUNT", "ENABLED", "MKDIR", "VIEW", "TYPE",
                "XFER", "FLUSH");

        private final Map<String, Line> lines = new LinkedHashMap<>();
        private final Map<Path, Line> byPath = new HashMap<>();
        private final Map<Path, Integer> keepCounts = new HashMap<>();

        void add(Line line, Problems problems) {
            problems.requireKnown(line, KEYS);
            Line other = lines.putIfAbsent(line.name(), line);
            if (other != null) {
                other.add(line, problems);
            }
        }

        /** Reads the values, after all lines were added. */
        void read(Problems problems) {
            for (Line line : lines.values()) {
                Path path = problems.path(line.entry("STORE", Line.Entry.byDefault("")), "STORE");
                if (path == null) {
                    continue;
                }
                byPath.put(path, line);
                Line.Entry count = line.entries().get("COUNT");
                if (count != null) {
                    keepCounts.put(path, (int) problems.number(count, "COUNT", 1, Integer.MAX_VALUE, 1));
                }
            }
        }

        /**
         * Why a store can't be used; empty if it can. As in SCR, all stores must be declared if one is. If none is,
         * only that of {@code SCR_CACHE_BASE} exists.
         */
        Optional<String> obstacle(Path store, Path cacheBase) {
            Line line = byPath.get(store);
            if (line != null) {
                return line.isDisabled()
                        ? Optional.of("line " + line.number() + " disables its store " + store)
                        : Optional.empty();
            }
            return byPath.isEmpty() && store.equals(cacheBase)
                    ? Optional.empty()
                    : Optional.of("no STORE line declares its store " + store);
        }

        Map<Path, Integer> keepCounts() {
            return keepCounts;
        }
    }

    /**
     * Failure groups of this process's host, from environment variables.
     *
     * @param environment variables and their values
     */
    record EnvironmentGroups(Map<String, String> environment) {
        private static final String OWN_PREFIX = "RESTOREJ_GROUP_";
        private static final String SLURM_ADDRESS = "SLURM_TOPOLOGY_ADDR";
        private static final String SLURM_PATTERN = "SLURM_TOPOLOGY_ADDR_PATTERN";

        /** The label of a kind of group; empty if the environment has none. */
        Optional<String> label(String kind) {
            String own = environment.getOrDefault(OWN_PREFIX + kind, "");
            return own.isEmpty() ? slurmLabel(kind) : Optional.of(own);
        }

        /**
         * The label from Slurm, whose variables name the path from the top of the network to the node, and the kind of
         * each name.
         */
        private Optional<String> slurmLabel(String kind) {
            String[] pattern = environment.getOrDefault(SLURM_PATTERN, "").split("\\.", -1);
            // The last name is that of the node, which may contain dots.
            String[] names = environment.getOrDefault(SLURM_ADDRESS, "").split("\\.", pattern.length);
            for (int i = pattern.length - 1; i >= 0 && names.length == pattern.length; i--) {
                if (pattern[i].equals(kind.toLowerCase(Locale.ROOT)) && !names[i].isEmpty()) {
                    return Optional.of(names[i]);
                }
            }
            return Optional.empty();
        }

        /** Describes the settings that are missing for a label. */
        String missing(String kind) {
            String name = kind.toLowerCase(Locale.ROOT);
            String pattern = environment.get(SLURM_PATTERN);
            return "no line GROUPS=<host> " + kind + "=<label> for each host, no " + OWN_PREFIX + kind
                    + " in the environment, and "
                    + (pattern == null
                            ? "no " + SLURM_PATTERN + " there with a " + name
                            : SLURM_PATTERN + "=" + pattern + " there has no " + name);
        }
    }
}

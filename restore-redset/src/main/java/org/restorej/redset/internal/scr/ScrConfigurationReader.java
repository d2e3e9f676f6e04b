package org.restorej.redset.internal.scr;

import org.restorej.redset.internal.scr.Line.Entry;
import org.restorej.redset.internal.scr.Line.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.RedundancyConfiguration.ConfigurationException;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/** Reads configurations in the format of SCR, as described in {@code ScrConfigurationParser}. Used once. */
public final class ScrConfigurationReader {
    private static final System.Logger LOG = System.getLogger(ScrConfigurationReader.class.getName());
    private static final Set<String> CHECKPOINT_KEYS = Set.of("CKPT", "ENABLED", "INTERVAL", "GROUP", "STORE", "TYPE",
            "SET_SIZE", "SET_FAILURES", "OUTPUT", "BYPASS");
    private static final Set<String> STORE_KEYS = Set.of("STORE", "GROUP", "COUNT", "ENABLED", "MKDIR", "VIEW", "TYPE",
            "XFER", "FLUSH");
    /** The value of {@code SCR_COPY_TYPE} that selects the {@code CKPT} lines. */
    private static final String TYPE_OF_LINES = "FILE";
    private static final String DEFAULT_TYPE = "XOR";
    private static final int DEFAULT_CHECKSUMS = 2;
    /** The default of SCR since release 3, whose files are redset's. */
    private static final String DEFAULT_STORE = "/dev/shm";

    private final Problems problems = new Problems();
    private final Map<String, Entry> parameters = new HashMap<>();
    /** By name, in SCR's order. */
    private final SortedMap<String, Line> checkpoints = new TreeMap<>();
    private final Map<String, Line> stores = new LinkedHashMap<>();
    private final Map<Path, Line> storesByPath = new HashMap<>();
    private final Map<Path, Integer> keepCounts = new HashMap<>();
    private final Map<String, Map<String, String>> failureGroups = new HashMap<>();
    /** Ignored descriptors, with the reasons. */
    private final List<String> passedOver = new ArrayList<>();
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
        stores.values().forEach(this::readStore);
        int keepCount = (int) problems.number(parameter("SCR_CACHE_SIZE", "1"), 1, Integer.MAX_VALUE);
        Entry type = parameter("SCR_COPY_TYPE", DEFAULT_TYPE);
        List<RedundancyDescriptor> descriptors = descriptors(type.value().equalsIgnoreCase(TYPE_OF_LINES)
                ? checkpoints.values()
                : List.of(new Line(type.line(), Map.of("TYPE", type))));
        List<Long> intervals = descriptors.stream().map(RedundancyDescriptor::interval).toList();
        // With other errors the missing one may be on an invalid line.
        if (problems.count() == 0 && !intervals.contains(1L)) {
            passedOver.addFirst("one descriptor must have INTERVAL=1: intervals " + intervals);
            problems.add(0, String.join("; ", passedOver));
        }
        problems.throwIfAny();
        passedOver.forEach(one -> LOG.log(System.Logger.Level.WARNING, "{0}", one));
        return new RedundancyConfiguration(descriptors, failureGroups, keepCounts, keepCount);
    }

    private void add(Line line) {
        switch (line.first().name()) {
            case "CKPT" -> line.addTo(checkpoints, CHECKPOINT_KEYS, problems);
            case "STORE" -> line.addTo(stores, STORE_KEYS, problems);
            case "GROUPS" -> readGroups(line);
            case "CNTLDIR", "CACHEDIR" -> {
                // For SCR's scripts, which check the free space in these directories.
            }
            default -> {
                if (!line.first().name().startsWith("SCR_") || line.entries().size() != 1) {
                    problems.add(line.number(), "must begin with CKPT, STORE, GROUPS, CNTLDIR or CACHEDIR, or be one "
                            + "SCR_ parameter: " + line.first().name());
                } else {
                    parameters.putAll(line.entries());
                }
            }
        }
    }

    private void readGroups(Line line) {
        Map<String, String> labels = new HashMap<>();
        line.entries().values().stream().skip(1).forEach(entry -> labels.put(entry.name(), entry.value()));
        if (failureGroups.putIfAbsent(line.first().value(), labels) != null) {
            problems.add(line.number(), "GROUPS must name each host once: " + line.first().value());
        }
    }

    private void readStore(Line line) {
        Path path = problems.path(line.first());
        Entry count = line.entries().get("COUNT");
        if (path != null) {
            storesByPath.put(path, line);
            if (count != null) {
                keepCounts.put(path, (int) problems.number(count, 1, Integer.MAX_VALUE));
            }
        }
    }

    /** The descriptors of lines in SCR's order. Of several with the same interval the first counts. */
    private List<RedundancyDescriptor> descriptors(Collection<Line> lines) {
        List<RedundancyDescriptor> descriptors = new ArrayList<>();
        Map<Long, Line> byInterval = new HashMap<>();
        for (Line line : lines) {
            if (line.isDisabled()) {
                passOver(line, "ENABLED=0");
                continue;
            }
            Path store = problems.path(line.entry("STORE", cacheBase()));
            Optional<String> obstacle = obstacle(store);
            if (obstacle.isPresent() && checkpoints.containsValue(line)) {
                passOver(line, obstacle.get());
                continue;
            }
            // Without CKPT lines there is no other store.
            obstacle.ifPresent(why -> problems.add(cacheBase(), "a store that can be used, but " + why));
            RedundancyDescriptor descriptor = descriptor(line, store);
            Line other = descriptor == null ? null : byInterval.putIfAbsent(descriptor.interval(), line);
            if (other != null) {
                passOver(line, line.entry("INTERVAL", defaultInterval()) + " is that of " + other.first() + ", too");
            } else if (descriptor != null) {
                descriptors.add(descriptor);
            }
        }
        return descriptors;
    }

    private void passOver(Line line, String why) {
        passedOver.add(line.first() + " doesn't count: " + new ConfigurationException.Problem(line.number(), why));
    }

    /**
     * Why a store can't be used; empty if it can. As in SCR, all stores must be declared if one is. If none is, only
     * that of {@code SCR_CACHE_BASE} exists.
     */
    private Optional<String> obstacle(@Nullable Path store) {
        Line line = storesByPath.get(store);
        if (line != null && line.isDisabled()) {
            return Optional.of("line " + line.number() + " disables its store " + store);
        }
        boolean isUsable = line != null || store == null
                || (storesByPath.isEmpty() && store.equals(problems.path(cacheBase())));
        return isUsable ? Optional.empty() : Optional.of("no STORE line declares its store " + store);
    }

    private @Nullable RedundancyDescriptor descriptor(Line line, @Nullable Path store) {
        int before = problems.count();
        long interval = problems.number(line.entry("INTERVAL", defaultInterval()), 1, Long.MAX_VALUE);
        int setSize = (int) problems.number(line.entry("SET_SIZE",
                parameter("SCR_SET_SIZE", Integer.toString(RedundancyDescriptor.DEFAULT_SET_SIZE))), 1,
                Integer.MAX_VALUE);
        Entry group = line.entry("GROUP", parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE));
        requireGroup(group);
        Scheme scheme = scheme(line.entry("TYPE", new Entry(0, "TYPE", DEFAULT_TYPE)),
                line.entry("SET_FAILURES", parameter("SCR_SET_FAILURES", "")));
        if (store == null || scheme == null || problems.count() > before) {
            return null;
        }
        try {
            return new RedundancyDescriptor(interval, group.value(), store, scheme, setSize);
        } catch (IllegalArgumentException inconsistent) {
            problems.add(line.number(), String.valueOf(inconsistent.getMessage()));
            return null;
        }
    }

    private static Entry defaultInterval() {
        return new Entry(0, "INTERVAL", "1");
    }

    private Entry cacheBase() {
        return parameter("SCR_CACHE_BASE", DEFAULT_STORE);
    }

    /** A parameter. The environment overrides lines. */
    private Entry parameter(String name, String byDefault) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty()
                ? parameters.getOrDefault(name, new Entry(0, name, byDefault))
                : new Entry(0, "the environment's " + name, value);
    }

    /** A scheme with a number of replicas or checksums, which may be empty; null after an error. */
    private @Nullable Scheme scheme(Entry type, Entry failures) {
        boolean isByDefault = failures.value().isEmpty();
        int number = isByDefault ? 1 : (int) problems.number(failures, 1, Integer.MAX_VALUE);
        try {
            return switch (type.value().toUpperCase(Locale.ROOT)) {
                case "SINGLE" -> Scheme.single();
                case "PARTNER" -> Scheme.partner(number);
                case "XOR" -> Scheme.xor();
                case "RS" -> reedSolomon(isByDefault ? DEFAULT_CHECKSUMS : number);
                default -> {
                    problems.add(type, "SINGLE, PARTNER, XOR or RS");
                    yield null;
                }
            };
        } catch (IllegalArgumentException outOfRange) {
            problems.add(failures.line(), String.valueOf(outOfRange.getMessage()));
            return null;
        }
    }

    /** As SCR since release 3: the same redundancy in the simpler format. */
    private static Scheme reedSolomon(int checksums) {
        return checksums == 1 ? Scheme.xor() : Scheme.rs(checksums);
    }

    /** Takes the label of this host from the environment if no line defines the group. */
    private void requireGroup(Entry entry) {
        String group = entry.value();
        if (group.equals(RedundancyConfiguration.GROUP_NODE) || group.equals(RedundancyConfiguration.GROUP_WORLD)
                || failureGroups.values().stream().anyMatch(labels -> labels.containsKey(group))) {
            return;
        }
        EnvironmentGroups groups = new EnvironmentGroups(environment);
        groups.label(group).ifPresentOrElse(
                label -> failureGroups.computeIfAbsent(host, absent -> new HashMap<>()).put(group, label),
                () -> problems.add(entry, groups.rule(group)));
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

        /** The rule that a kind without a label breaks. */
        String rule(String kind) {
            return "NODE, WORLD, or have labels, from a line GROUPS=<host> " + kind + "=<label> for each host, "
                    + OWN_PREFIX + kind + " in the environment, or a " + kind.toLowerCase(Locale.ROOT) + " in "
                    + SLURM_PATTERN + " there, which is " + environment.getOrDefault(SLURM_PATTERN, "absent");
        }
    }
}

package org.restorej.redset.internal.configuration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.ConfigurationException;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/** Reads configurations in the format of SCR, as {@code ScrConfigurationParser} describes them. Used once. */
public final class ScrConfigurationReader {
    private static final Set<String> CHECKPOINT_KEYS = Set.of("CKPT", "ENABLED", "INTERVAL", "GROUP", "STORE", "TYPE",
            "SET_SIZE", "SET_FAILURES", "REPLICAS", "CHECKSUMS", "OUTPUT", "BYPASS");
    private static final Set<String> STORE_KEYS = Set.of("STORE", "GROUP", "COUNT", "ENABLED", "MKDIR", "VIEW", "TYPE",
            "XFER", "FLUSH");
    private static final Set<String> FAILURE_KEYS = Set.of("SET_FAILURES", "REPLICAS", "CHECKSUMS");
    /** What {@code SCR_COPY_TYPE} is where the {@code CKPT} lines count. */
    private static final String TYPE_OF_LINES = "FILE";
    private static final String DEFAULT_TYPE = "XOR";
    private static final int DEFAULT_REPLICAS = 1;
    private static final int DEFAULT_CHECKSUMS = 2;

    private final Problems problems = new Problems();
    private final Map<String, Entry> parameters = new HashMap<>();
    private final List<Line> checkpoints = new ArrayList<>();
    private final Map<Path, Integer> keepCounts = new HashMap<>();
    private final Map<String, Setting> keepCountSources = new HashMap<>();
    private final Map<String, Map<String, String>> failureGroups = new HashMap<>();
    private final Map<RedundancyDescriptor, List<Setting>> settings = new HashMap<>();
    private final Map<String, Setting> environmentLabels = new HashMap<>();
    private final EnvironmentGroups environment;
    private final String host;

    /** A line as keys and values. */
    private record Line(int number, Map<String, String> entries) {}

    private ScrConfigurationReader(Map<String, String> environment, String host) {
        this.environment = new EnvironmentGroups(environment);
        this.host = host;
    }

    /**
     * Reads a configuration.
     *
     * @param text its lines
     * @param environment of this process: may name failure groups of the host
     * @param host name of this host
     * @throws ConfigurationException with all errors, when there are any
     */
    public static ScrConfiguration read(String text, Map<String, String> environment, String host)
            throws ConfigurationException {
        return new ScrConfigurationReader(environment, host).readAll(text);
    }

    private ScrConfiguration readAll(String text) throws ConfigurationException {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            readLine(i + 1, lines.get(i));
        }
        Entry cacheSize = parameter("SCR_CACHE_SIZE", "1");
        int keepCount = (int) problems.number(cacheSize, "SCR_CACHE_SIZE", 1, Integer.MAX_VALUE, 1);
        List<RedundancyDescriptor> descriptors = parameter("SCR_COPY_TYPE", DEFAULT_TYPE).value()
                .equalsIgnoreCase(TYPE_OF_LINES) ? fromCheckpointLines() : fromParameters();
        problems.throwIfAny();
        RedundancyConfiguration configuration = new RedundancyConfiguration(descriptors, groupsOfHosts(), keepCounts,
                keepCount);
        return new ScrConfiguration(configuration, settings, keepCountSources, cacheSize.setting("kept", keepCount),
                environmentLabels);
    }

    /** What lines say, and for this host what the environment says of kinds that no line defines. */
    private Map<String, Map<String, String>> groupsOfHosts() {
        Map<String, Map<String, String>> groups = new HashMap<>(failureGroups);
        environmentLabels.forEach((kind, label) -> groups.computeIfAbsent(host, absent -> new HashMap<>()).put(kind,
                label.value()));
        return groups;
    }

    private void readLine(int number, String text) {
        int comment = text.indexOf('#');
        String content = (comment < 0 ? text : text.substring(0, comment)).strip();
        if (content.isEmpty()) {
            return;
        }
        Map<String, String> entries = new LinkedHashMap<>();
        for (String token : content.split("\\s+", -1)) {
            int equals = token.indexOf('=');
            if (equals <= 0 || equals == token.length() - 1) {
                problems.add(number, "must be a list of KEY=VALUE: " + token);
                return;
            }
            if (entries.putIfAbsent(token.substring(0, equals), token.substring(equals + 1)) != null) {
                problems.add(number, "a key is there twice: " + token);
                return;
            }
        }
        readEntries(new Line(number, entries));
    }

    private void readEntries(Line line) {
        String leading = line.entries().keySet().iterator().next();
        switch (leading) {
            case "CKPT" -> {
                checkKeys(line, CHECKPOINT_KEYS);
                // SCR's documented example has a line twice.
                if (checkpoints.stream().noneMatch(other -> other.entries().equals(line.entries()))) {
                    checkpoints.add(line);
                }
            }
            case "STORE" -> readStore(line);
            case "GROUPS" -> readGroups(line);
            default -> {
                if (!leading.startsWith("SCR_") || line.entries().size() != 1) {
                    problems.add(line.number(),
                            "must begin with CKPT, STORE or GROUPS, or be one SCR_ parameter: " + leading);
                } else {
                    parameters.put(leading,
                            new Entry(line.number(), leading, line.entries().getOrDefault(leading, "")));
                }
            }
        }
    }

    private void checkKeys(Line line, Set<String> known) {
        for (String key : line.entries().keySet()) {
            if (!known.contains(key)) {
                problems.add(line.number(), "has an unknown key: " + key);
            }
        }
    }

    private void readStore(Line line) {
        checkKeys(line, STORE_KEYS);
        Path store = problems.path(line.number(), "STORE", line.entries().getOrDefault("STORE", ""));
        String count = line.entries().get("COUNT");
        if (count != null && store != null) {
            Entry entry = new Entry(line.number(), "COUNT", count);
            int kept = (int) problems.number(entry, "COUNT", 1, Integer.MAX_VALUE, 1);
            keepCounts.put(store, kept);
            keepCountSources.put(store.toString(), entry.setting("kept", kept));
        }
    }

    private void readGroups(Line line) {
        Map<String, String> labels = new HashMap<>(line.entries());
        String host = labels.remove("GROUPS");
        if (host == null || failureGroups.putIfAbsent(host, labels) != null) {
            problems.add(line.number(), "GROUPS must name each host once: " + host);
        }
    }

    private List<RedundancyDescriptor> fromCheckpointLines() {
        List<RedundancyDescriptor> descriptors = new ArrayList<>();
        Map<Long, Integer> lineOfInterval = new HashMap<>();
        for (int i = 0; i < checkpoints.size(); i++) {
            Line line = checkpoints.get(i);
            if (!line.entries().getOrDefault("CKPT", "").equals(Integer.toString(i))) {
                problems.add(line.number(),
                        "CKPT must be numbered from 0 on, " + i + " here: " + line.entries().get("CKPT"));
            }
            if (line.entries().getOrDefault("ENABLED", "1").equals("0")) {
                continue;
            }
            RedundancyDescriptor descriptor = descriptor(line);
            if (descriptor != null) {
                descriptors.add(descriptor);
                Integer other = lineOfInterval.putIfAbsent(descriptor.interval(), line.number());
                if (other != null) {
                    problems.add(line.number(), "INTERVAL is that of line " + other + " too: " + descriptor.interval());
                }
            }
        }
        // With other errors the missing one may be on a line that was not understood.
        if (problems.isEmpty() && !lineOfInterval.containsKey(1L)) {
            problems.add(0, "one CKPT line must have INTERVAL=1: intervals " + lineOfInterval.keySet());
        }
        return descriptors;
    }

    private @Nullable RedundancyDescriptor descriptor(Line line) {
        List<String> failureKeys = FAILURE_KEYS.stream().filter(line.entries()::containsKey).toList();
        if (failureKeys.size() > 1) {
            problems.add(line.number(), "must have only one of SET_FAILURES, REPLICAS and CHECKSUMS");
        }
        Entry failures = parameters.get("SCR_SET_FAILURES");
        for (String key : failureKeys) {
            failures = new Entry(line.number(), key, line.entries().getOrDefault(key, ""));
        }
        Wishes wishes = new Wishes(line.number(), entry(line, "INTERVAL", new Entry(0, "INTERVAL", "1")),
                entry(line, "GROUP", parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE)),
                entry(line, "STORE", parameter("SCR_CACHE_BASE", "/tmp")),
                entry(line, "TYPE", new Entry(0, "TYPE", DEFAULT_TYPE)), entry(line, "SET_SIZE", setSize()), failures);
        return build(wishes, new Setting("descriptor", "CKPT=" + line.entries().get("CKPT"),
                "line " + line.number()));
    }

    private static Entry entry(Line line, String key, Entry otherwise) {
        String value = line.entries().get(key);
        return value == null ? otherwise : new Entry(line.number(), key, value);
    }

    private Entry setSize() {
        return parameter("SCR_SET_SIZE", Integer.toString(RedundancyDescriptor.DEFAULT_SET_SIZE));
    }

    private List<RedundancyDescriptor> fromParameters() {
        Entry type = parameter("SCR_COPY_TYPE", DEFAULT_TYPE);
        Wishes wishes = new Wishes(type.line(), new Entry(0, "INTERVAL", "1"),
                parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE), parameter("SCR_CACHE_BASE", "/tmp"), type,
                setSize(), parameters.get("SCR_SET_FAILURES"));
        RedundancyDescriptor descriptor = build(wishes, new Setting("descriptor", "of SCR_ parameters",
                "SCR_COPY_TYPE is not FILE, so CKPT lines don't count"));
        return descriptor == null ? List.of() : List.of(descriptor);
    }

    /** What a descriptor is made of. */
    private record Wishes(int line, Entry interval, Entry group, Entry store, Entry type, Entry setSize,
            @Nullable Entry failures) {}

    private @Nullable RedundancyDescriptor build(Wishes wishes, Setting which) {
        int before = problems.count();
        int line = wishes.line();
        Path store = problems.path(line, "STORE", wishes.store().value());
        long interval = problems.number(wishes.interval(), "INTERVAL", 1, Long.MAX_VALUE, 1);
        int setSize = (int) problems.number(wishes.setSize(), "SET_SIZE", 1, Integer.MAX_VALUE,
                RedundancyDescriptor.DEFAULT_SET_SIZE);
        String group = wishes.group().value();
        requireGroup(line, group);
        Scheme scheme = scheme(line, wishes.type().value(), wishes.failures());
        if (store == null || scheme == null || problems.count() > before) {
            return null;
        }
        try {
            RedundancyDescriptor descriptor = new RedundancyDescriptor(interval, group, store, scheme, setSize);
            settings.put(descriptor, List.of(which, schemeSetting(wishes, scheme),
                    wishes.setSize().setting("set size", setSize), wishes.store().setting("store", store),
                    wishes.group().setting("group", group)));
            return descriptor;
        } catch (IllegalArgumentException inconsistent) {
            problems.add(line, String.valueOf(inconsistent.getMessage()));
            return null;
        }
    }

    private static Setting schemeSetting(Wishes wishes, Scheme scheme) {
        Entry failures = scheme instanceof Scheme.Partner || wishes.type().value().equalsIgnoreCase("RS")
                ? wishes.failures()
                : null;
        return new Setting("scheme", scheme.toString(),
                wishes.type().source() + (failures == null ? "" : ", " + failures.source()));
    }

    private void requireGroup(int line, String group) {
        if (group.equals(RedundancyConfiguration.GROUP_NODE) || group.equals(RedundancyConfiguration.GROUP_WORLD)
                || failureGroups.values().stream().anyMatch(labels -> labels.containsKey(group))) {
            return;
        }
        environment.label(group).ifPresentOrElse(label -> environmentLabels.put(group, label),
                () -> problems.add(line,
                        "GROUP must be NODE, WORLD, or known by GROUPS lines or the environment: " + group
                                + "; there is " + environment.missing(group)));
    }

    private @Nullable Scheme scheme(int line, String type, @Nullable Entry failures) {
        try {
            return switch (type.toUpperCase(Locale.ROOT)) {
                case "SINGLE" -> withoutNumber(Scheme.single(), failures);
                case "PARTNER" -> Scheme.partner(failures(failures, DEFAULT_REPLICAS));
                case "XOR" -> withoutNumber(Scheme.xor(), failures);
                case "RS" -> Scheme.rs(failures(failures, DEFAULT_CHECKSUMS));
                default -> {
                    problems.add(line, "TYPE must be SINGLE, PARTNER, XOR or RS: " + type);
                    yield null;
                }
            };
        } catch (IllegalArgumentException outOfRange) {
            problems.add(line, String.valueOf(outOfRange.getMessage()));
            return null;
        }
    }

    /** A scheme that the number of failures doesn't count for, which must be one all the same. */
    private Scheme withoutNumber(Scheme scheme, @Nullable Entry failures) {
        failures(failures, 1);
        return scheme;
    }

    private int failures(@Nullable Entry failures, int byDefault) {
        return failures == null
                ? byDefault
                : (int) problems.number(failures, "SET_FAILURES", 1, Integer.MAX_VALUE, byDefault);
    }

    private Entry parameter(String name, String byDefault) {
        return parameters.getOrDefault(name, new Entry(0, name, byDefault));
    }
}

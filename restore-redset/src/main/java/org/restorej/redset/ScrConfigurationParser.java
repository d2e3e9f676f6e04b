package org.restorej.redset;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads configurations in the format of SCR. A line is a list of {@code KEY=VALUE}; {@code #} begins a comment.
 *
 * <pre>
 * SCR_COPY_TYPE=FILE
 * CKPT=0 INTERVAL=1 GROUP=NODE   STORE=/tmp TYPE=XOR SET_SIZE=16
 * CKPT=1 INTERVAL=8 GROUP=SWITCH STORE=/ssd TYPE=RS  SET_SIZE=8 SET_FAILURES=2
 * STORE=/ssd GROUP=NODE COUNT=3
 * GROUPS=host1 SWITCH=0
 * </pre>
 *
 * <p>
 * {@code SET_FAILURES} is the number of replicas or checksums; {@code REPLICAS} and {@code CHECKSUMS} mean the same.
 * With another {@code SCR_COPY_TYPE} than {@code FILE} the {@code CKPT} lines don't count: {@code SCR_COPY_TYPE},
 * {@code SCR_GROUP}, {@code SCR_CACHE_BASE}, {@code SCR_SET_SIZE} and {@code SCR_SET_FAILURES} make one descriptor.
 * Other {@code SCR_} parameters are ignored. All errors are collected, by line.
 */
public final class ScrConfigurationParser {
    private static final Set<String> CHECKPOINT_KEYS = Set.of("CKPT", "ENABLED", "INTERVAL", "GROUP", "STORE", "TYPE",
            "SET_SIZE", "SET_FAILURES", "REPLICAS", "CHECKSUMS", "OUTPUT", "BYPASS");
    private static final Set<String> STORE_KEYS = Set.of("STORE", "GROUP", "COUNT", "ENABLED", "MKDIR", "VIEW", "TYPE",
            "XFER", "FLUSH");
    private static final Set<String> FAILURE_KEYS = Set.of("SET_FAILURES", "REPLICAS", "CHECKSUMS");
    private static final int DEFAULT_REPLICAS = 1;
    private static final int DEFAULT_CHECKSUMS = 2;

    private final List<ConfigurationException.Problem> problems = new ArrayList<>();
    private final Map<String, Entry> parameters = new HashMap<>();
    private final List<Line> checkpoints = new ArrayList<>();
    private final Map<Path, Integer> keepCounts = new HashMap<>();
    private final Map<String, Map<String, String>> failureGroups = new HashMap<>();

    /** A line as keys and values. */
    private record Line(int number, Map<String, String> entries) {}

    /** A value and where it is from. */
    private record Entry(int line, String value) {}

    private ScrConfigurationParser() {}

    /**
     * Reads a configuration.
     *
     * @param text its lines
     * @throws ConfigurationException with all errors, when there are any
     */
    public static RedundancyConfiguration parse(String text) throws ConfigurationException {
        return new ScrConfigurationParser().parseAll(text);
    }

    private RedundancyConfiguration parseAll(String text) throws ConfigurationException {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            readLine(i + 1, lines.get(i));
        }
        int keepCount = (int) number(parameter("SCR_CACHE_SIZE", "1"), "SCR_CACHE_SIZE", 1, Integer.MAX_VALUE, 1);
        List<RedundancyDescriptor> descriptors = parameter("SCR_COPY_TYPE", "XOR").value().equals("FILE")
                ? fromCheckpointLines()
                : fromParameters();
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(ConfigurationException.Problem::line));
            throw new ConfigurationException(problems);
        }
        return new RedundancyConfiguration(descriptors, failureGroups, keepCounts, keepCount);
    }

    private void problem(int line, String message) {
        problems.add(new ConfigurationException.Problem(line, message));
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
                problem(number, "must be a list of KEY=VALUE: " + token);
                return;
            }
            if (entries.putIfAbsent(token.substring(0, equals), token.substring(equals + 1)) != null) {
                problem(number, "a key is there twice: " + token);
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
                checkpoints.add(line);
            }
            case "STORE" -> readStore(line);
            case "GROUPS" -> readGroups(line);
            default -> {
                if (!leading.startsWith("SCR_") || line.entries().size() != 1) {
                    problem(line.number(),
                            "must begin with CKPT, STORE or GROUPS, or be one SCR_ parameter: " + leading);
                } else {
                    parameters.put(leading, new Entry(line.number(), line.entries().getOrDefault(leading, "")));
                }
            }
        }
    }

    private void checkKeys(Line line, Set<String> known) {
        for (String key : line.entries().keySet()) {
            if (!known.contains(key)) {
                problem(line.number(), "has an unknown key: " + key);
            }
        }
    }

    private void readStore(Line line) {
        checkKeys(line, STORE_KEYS);
        Path store = path(line.number(), "STORE", line.entries().getOrDefault("STORE", ""));
        String count = line.entries().get("COUNT");
        if (count != null && store != null) {
            keepCounts.put(store, (int) number(new Entry(line.number(), count), "COUNT", 1, Integer.MAX_VALUE, 1));
        }
    }

    private void readGroups(Line line) {
        Map<String, String> labels = new HashMap<>(line.entries());
        String host = labels.remove("GROUPS");
        if (host == null || failureGroups.putIfAbsent(host, labels) != null) {
            problem(line.number(), "GROUPS must name each host once: " + host);
        }
    }

    private List<RedundancyDescriptor> fromCheckpointLines() {
        List<RedundancyDescriptor> descriptors = new ArrayList<>();
        Map<Long, Integer> lineOfInterval = new HashMap<>();
        for (int i = 0; i < checkpoints.size(); i++) {
            Line line = checkpoints.get(i);
            if (!line.entries().getOrDefault("CKPT", "").equals(Integer.toString(i))) {
                problem(line.number(),
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
                    problem(line.number(), "INTERVAL is that of line " + other + " too: " + descriptor.interval());
                }
            }
        }
        // With other errors the missing one may be on a line that was not understood.
        if (problems.isEmpty() && !lineOfInterval.containsKey(1L)) {
            problem(0, "one CKPT line must have INTERVAL=1: intervals " + lineOfInterval.keySet());
        }
        return descriptors;
    }

    private @Nullable RedundancyDescriptor descriptor(Line line) {
        Map<String, String> entries = line.entries();
        String type = entries.getOrDefault("TYPE", "XOR");
        Entry setSize = entries.containsKey("SET_SIZE")
                ? new Entry(line.number(), entries.getOrDefault("SET_SIZE", ""))
                : parameter("SCR_SET_SIZE", Integer.toString(RedundancyDescriptor.DEFAULT_SET_SIZE));
        Entry failures = null;
        for (String key : FAILURE_KEYS) {
            if (entries.containsKey(key)) {
                if (failures != null) {
                    problem(line.number(), "must have only one of SET_FAILURES, REPLICAS and CHECKSUMS");
                }
                failures = new Entry(line.number(), entries.getOrDefault(key, ""));
            }
        }
        Entry interval = new Entry(line.number(), entries.getOrDefault("INTERVAL", "1"));
        String group = entries.getOrDefault("GROUP",
                parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE).value());
        String store = entries.getOrDefault("STORE", parameter("SCR_CACHE_BASE", "/tmp").value());
        return build(line.number(), interval, group, store, type, setSize, failures);
    }

    private List<RedundancyDescriptor> fromParameters() {
        Entry type = parameter("SCR_COPY_TYPE", "XOR");
        RedundancyDescriptor descriptor = build(type.line(), new Entry(0, "1"),
                parameter("SCR_GROUP", RedundancyConfiguration.GROUP_NODE).value(),
                parameter("SCR_CACHE_BASE", "/tmp").value(),
                type.value(), parameter("SCR_SET_SIZE", Integer.toString(RedundancyDescriptor.DEFAULT_SET_SIZE)),
                parameters.get("SCR_SET_FAILURES"));
        return descriptor == null ? List.of() : List.of(descriptor);
    }

    private @Nullable RedundancyDescriptor build(int line, Entry interval, String group, String storeName, String type,
            Entry setSize, @Nullable Entry failures) {
        int before = problems.size();
        Path store = path(line, "STORE", storeName);
        long intervalValue = number(interval, "INTERVAL", 1, Long.MAX_VALUE, 1);
        int setSizeValue = (int) number(setSize, "SET_SIZE", 1, Integer.MAX_VALUE,
                RedundancyDescriptor.DEFAULT_SET_SIZE);
        boolean known = isKnownGroup(group);
        if (!known) {
            problem(line, "GROUP must be NODE, WORLD or one defined by GROUPS lines: " + group);
        }
        Scheme scheme = scheme(line, type, failures);
        if (store == null || scheme == null || problems.size() > before) {
            return null;
        }
        try {
            return new RedundancyDescriptor(intervalValue, group, store, scheme, setSizeValue);
        } catch (IllegalArgumentException inconsistent) {
            problem(line, String.valueOf(inconsistent.getMessage()));
            return null;
        }
    }

    private boolean isKnownGroup(String group) {
        return group.equals(RedundancyConfiguration.GROUP_NODE) || group.equals(RedundancyConfiguration.GROUP_WORLD)
                || failureGroups.values().stream().anyMatch(labels -> labels.containsKey(group));
    }

    private @Nullable Scheme scheme(int line, String type, @Nullable Entry failures) {
        try {
            return switch (type) {
                case "SINGLE" -> Scheme.single();
                case "PARTNER" -> Scheme.partner(failures(failures, DEFAULT_REPLICAS));
                case "XOR" -> Scheme.xor();
                case "RS" -> Scheme.rs(failures(failures, DEFAULT_CHECKSUMS));
                default -> {
                    problem(line, "TYPE must be SINGLE, PARTNER, XOR or RS: " + type);
                    yield null;
                }
            };
        } catch (IllegalArgumentException outOfRange) {
            problem(line, String.valueOf(outOfRange.getMessage()));
            return null;
        }
    }

    private int failures(@Nullable Entry failures, int byDefault) {
        return failures == null ? byDefault : (int) number(failures, "SET_FAILURES", 1, Integer.MAX_VALUE, byDefault);
    }

    private Entry parameter(String name, String byDefault) {
        return parameters.getOrDefault(name, new Entry(0, byDefault));
    }

    private long number(Entry entry, String name, long least, long most, long insteadOfAnError) {
        try {
            long number = Long.parseLong(entry.value());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like a number out of range.
        }
        problem(entry.line(), name + " must be a number in [" + least + ", " + most + "]: " + entry.value());
        return insteadOfAnError;
    }

    private @Nullable Path path(int line, String name, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            problem(line, name + " must be a path: " + invalid.getMessage());
            return null;
        }
    }
}

package org.restorej.redset.internal.scr;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The {@code STORE} lines. One thread. */
final class Stores {
    private static final Set<String> KEYS = Set.of("STORE", "GROUP", "COUNT", "ENABLED", "MKDIR", "VIEW", "TYPE",
            "XFER", "FLUSH");

    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final Map<Path, Line> byPath = new HashMap<>();
    private final Map<Path, Integer> keepCounts = new HashMap<>();
    private final Map<String, ScrConfiguration.Setting> keepCountSources = new HashMap<>();

    void add(Line line, Problems problems) {
        problems.requireKnown(line, KEYS);
        Line other = lines.putIfAbsent(line.name(), line);
        if (other != null) {
            other.add(line, problems);
        }
    }

    /** After all lines: reads what they say. */
    void read(Problems problems) {
        for (Line line : lines.values()) {
            Path path = problems.path(line.entry("STORE", Line.Entry.byDefault("")), "STORE");
            if (path == null) {
                continue;
            }
            byPath.put(path, line);
            Line.Entry count = line.entries().get("COUNT");
            if (count != null) {
                int kept = (int) problems.number(count, "COUNT", 1, Integer.MAX_VALUE, 1);
                keepCounts.put(path, kept);
                keepCountSources.put(path.toString(), count.setting("kept", kept));
            }
        }
    }

    /**
     * Why nothing can be kept in a store; empty when it can. As in SCR, all stores must be declared when one is; when
     * none is, there is only that of {@code SCR_CACHE_BASE}.
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

    Map<String, ScrConfiguration.Setting> keepCountSources() {
        return keepCountSources;
    }
}

package org.restorej.bench.mpi;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a job notes of its calls, written down as JMH would. One thread. */
final class LifeResults {
    private final Class<?> program;
    private final Map<String, String> params;
    private final List<Map<String, Object>> results = new ArrayList<>();

    /**
     * No results yet.
     *
     * @param program which measures
     * @param bytes of a rank
     * @param setting how the JVM was started
     */
    LifeResults(Class<?> program, int pes, long bytes, String setting) {
        this.program = program;
        params = Map.of("pes", Integer.toString(pes), "bytes", Long.toString(bytes), JobLife.SETTING, setting,
                MpiTransport.PARAM, MpiTransport.ofProcess().text());
    }

    /** Notes times, and nothing besides; see {@link #note(String, String, List, Map, Map)}. */
    void note(String name, String calls, List<Double> millis, Map<String, String> further) {
        note(name, calls, millis, further, Map.of());
    }

    /**
     * Notes times; nothing without any.
     *
     * @param name of the operation
     * @param calls which calls these are
     * @param further parameters
     * @param bytes what was counted besides, by name
     */
    void note(String name, String calls, List<Double> millis, Map<String, String> further, Map<String, Long> bytes) {
        if (!millis.isEmpty()) {
            Map<String, String> all = new HashMap<>(params);
            all.putAll(further);
            all.put(JobLife.CALLS, calls);
            results.add(Map.of("benchmark", program.getName() + "." + name, "params", all, "primaryMetric",
                    Map.of("scoreUnit", "ms/op", "rawData", List.of(List.copyOf(millis))), "secondaryMetrics",
                    bytes.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
                            each -> Map.of("scoreUnit", "B", "rawData", List.of(List.of(each.getValue())))))));
        }
    }

    /** Writes a file. */
    void write(Path file) {
        try {
            new ObjectMapper().writeValue(file.toFile(), results);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}

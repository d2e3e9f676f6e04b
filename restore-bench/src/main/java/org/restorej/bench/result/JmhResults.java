package org.restorej.bench.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Results in the JSON of JMH 1.37, which other tools read too. Immutable.
 */
public final class JmhResults {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String METRIC = "primaryMetric";
    private static final String COUNTERS = "secondaryMetrics";
    private static final String RAW = "rawData";
    private static final String FORKS = "forks";
    private static final String BYTES = "bytes";

    private final ArrayNode entries;

    private JmhResults(ArrayNode entries) {
        this.entries = entries;
    }

    /**
     * Reads a file.
     *
     * @throws IOException when it can't be read, or is not what JMH writes; the message names the file
     */
    public static JmhResults read(Path file) throws IOException {
        JsonNode root;
        try {
            root = MAPPER.readTree(file.toFile());
        } catch (JsonProcessingException wrong) {
            throw new IOException(file + " is no JSON: " + wrong.getOriginalMessage(), wrong);
        }
        if (!(root instanceof ArrayNode array)) {
            throw new IOException(file + " is not what JMH writes: it has no array");
        }
        for (JsonNode entry : array) {
            if (!entry.path("benchmark").isTextual() || !entry.path(METRIC).path(RAW).isArray()) {
                throw new IOException(file + " is not what JMH writes: an entry has no benchmark or no rawData");
            }
        }
        return new JmhResults(array);
    }

    /**
     * What another program than JMH has measured.
     *
     * @param millis times of calls
     * @param counters what was counted besides, by name
     */
    public record Timed(BenchmarkKey key, List<Double> millis, Map<String, Long> counters) {
        /** Copies. */
        public Timed {
            millis = List.copyOf(millis);
            counters = Map.copyOf(counters);
        }
    }

    /** As JMH would have written it, each measured in one fork. */
    public static JmhResults of(List<Timed> all) {
        ArrayNode entries = MAPPER.createArrayNode();
        for (Timed timed : all) {
            ObjectNode entry = entries.addObject();
            entry.put("benchmark", timed.key().benchmark()).set("params", MAPPER.valueToTree(timed.key().params()));
            entry.putObject(METRIC).put("scoreUnit", "ms/op").putArray(RAW)
                    .add(MAPPER.<ArrayNode>valueToTree(timed.millis()));
            ObjectNode counters = entry.putObject(COUNTERS);
            timed.counters().forEach((name, count) -> counters.putObject(name).put("scoreUnit", "B/op").putArray(RAW)
                    .addArray().add(count));
        }
        return new JmhResults(entries);
    }

    /** The same of what has no counters. */
    public static JmhResults ofMillis(Map<BenchmarkKey, List<Double>> millis) {
        return of(millis.entrySet().stream().map(each -> new Timed(each.getKey(), each.getValue(), Map.of())).toList());
    }

    /**
     * Puts results together. What was measured by several of them, with the same parameters, becomes one entry, as if
     * JMH had measured it in several forks.
     */
    public static JmhResults merge(List<JmhResults> parts) {
        Map<BenchmarkKey, ObjectNode> merged = new LinkedHashMap<>();
        for (JmhResults part : parts) {
            for (JsonNode entry : part.entries) {
                merged.merge(key(entry), entry.deepCopy(), JmhResults::together);
            }
        }
        return new JmhResults(MAPPER.createArrayNode().addAll(merged.values()));
    }

    private static ObjectNode together(ObjectNode first, ObjectNode second) {
        ObjectNode metric = (ObjectNode) first.get(METRIC);
        ((ArrayNode) metric.get(RAW)).addAll((ArrayNode) second.get(METRIC).get(RAW));
        first.path(COUNTERS).properties().forEach(each -> {
            if (each.getValue().path(RAW) instanceof ArrayNode raw) {
                second.path(COUNTERS).path(each.getKey()).path(RAW).forEach(raw::add);
            }
        });
        // Of both there is nothing but the raw data to go by.
        metric.put("score", samples(first).stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN));
        metric.put("scoreError", "NaN");
        metric.remove("scoreConfidence");
        metric.putArray("scoreConfidence").add("NaN").add("NaN");
        metric.remove("scorePercentiles");
        first.put(FORKS, Math.max(1, first.path(FORKS).asInt()) + Math.max(1, second.path(FORKS).asInt()));
        return first;
    }

    /** Writes a file that {@link #read} and other tools can read. */
    public void write(Path file) throws IOException {
        Files.writeString(file, MAPPER.writeValueAsString(entries) + System.lineSeparator());
    }

    /** The measurements, in the order of the file. */
    public List<Measurement> measurements() {
        List<Measurement> measurements = new ArrayList<>();
        for (JsonNode entry : entries) {
            measurements.add(new Measurement(key(entry), entry.get(METRIC).path("scoreUnit").asText(), samples(entry),
                    bytes(entry), counters(entry)));
        }
        return measurements;
    }

    private static Map<String, Double> counters(JsonNode entry) {
        Map<String, Double> counters = new TreeMap<>();
        entry.path(COUNTERS).properties()
                .forEach(each -> each.getValue().path(RAW).forEach(fork -> fork
                        .forEach(value -> counters.merge(each.getKey(), value.asDouble(), Math::max))));
        return counters;
    }

    private static BenchmarkKey key(JsonNode entry) {
        SortedMap<String, String> params = new TreeMap<>();
        entry.path("params").properties().forEach(each -> params.put(each.getKey(), each.getValue().asText()));
        return new BenchmarkKey(entry.get("benchmark").asText(), params);
    }

    private static List<Double> samples(JsonNode entry) {
        List<Double> samples = new ArrayList<>();
        entry.get(METRIC).get(RAW).forEach(fork -> fork.forEach(sample -> samples.add(sample.asDouble())));
        return samples;
    }

    /** What the benchmark has counted; of one that counts nothing, its parameter of that name. */
    private static OptionalDouble bytes(JsonNode entry) {
        JsonNode counted = entry.path(COUNTERS).path(BYTES).path(RAW).path(0).path(0);
        if (counted.isNumber()) {
            return OptionalDouble.of(counted.asDouble());
        }
        String param = entry.path("params").path(BYTES).asText();
        return param.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(param));
    }
}

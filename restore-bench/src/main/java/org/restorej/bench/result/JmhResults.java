package org.restorej.bench.result;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results in the JSON of JMH 1.37: of each benchmark its name, its parameters, all times and bytes. */
public final class JmhResults {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String BYTES = "bytes";

    private JmhResults() {}

    /** What JMH writes of a benchmark; it writes more than this. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Entry(@Nullable String benchmark, @Nullable Map<String, String> params,
            @Nullable Metric primaryMetric, @Nullable Map<String, Metric> secondaryMetrics) {}

    /** A list for each fork. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Metric(double score, @Nullable String scoreUnit, @Nullable List<List<Double>> rawData) {
        Metric {
            if (rawData != null && rawData.stream().flatMap(List::stream).anyMatch(Objects::isNull)) {
                throw new IllegalArgumentException("rawData must have numbers: " + rawData);
            }
        }

        static Metric of(String unit, List<Double> samples) {
            return new Metric(samples.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN), unit,
                    List.of(samples));
        }

        Stream<Double> samples() {
            return rawData == null ? Stream.empty() : rawData.stream().flatMap(List::stream);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException when it can't be read, or is not what JMH writes; the message names the file
     */
    public static List<Measurement> read(Path file) throws IOException {
        try {
            return Stream.of(MAPPER.readValue(file.toFile(), Entry[].class)).map(JmhResults::measurement).toList();
        } catch (JsonProcessingException wrong) {
            throw new IOException(file + " is not what JMH writes: " + wrong.getOriginalMessage(), wrong);
        } catch (IllegalArgumentException wrong) {
            throw new IOException(file + " is not what JMH writes: " + wrong.getMessage(), wrong);
        }
    }

    private static Measurement measurement(@Nullable Entry entry) {
        if (entry == null || entry.benchmark() == null || entry.primaryMetric() == null
                || entry.primaryMetric().scoreUnit() == null) {
            throw new IllegalArgumentException("an entry has no benchmark, no primaryMetric or no scoreUnit");
        }
        Map<String, String> params = entry.params() == null ? Map.of() : entry.params();
        Map<String, Metric> counters = entry.secondaryMetrics() == null ? Map.of() : entry.secondaryMetrics();
        Metric counted = counters.get(BYTES);
        OptionalDouble bytes = counted == null
                ? OptionalDouble.empty()
                : counted.samples().mapToDouble(Double::doubleValue).findFirst();
        return new Measurement(new BenchmarkKey(entry.benchmark(), new TreeMap<>(params)),
                entry.primaryMetric().scoreUnit(), entry.primaryMetric().samples().toList(), bytes);
    }

    /**
     * Puts results together: what was measured several times, with the same parameters, becomes one measurement with
     * all times.
     */
    public static List<Measurement> merge(List<Measurement> parts) {
        Map<BenchmarkKey, Measurement> merged = new LinkedHashMap<>();
        parts.forEach(part -> merged.merge(part.key(), part, (first, second) -> new Measurement(first.key(),
                first.unit(), Stream.concat(first.samples().stream(), second.samples().stream()).toList(),
                first.bytes())));
        return List.copyOf(merged.values());
    }

    /** Writes a file that {@link #read} can read. */
    public static void write(Path file, List<Measurement> measurements) throws IOException {
        List<Entry> entries = measurements.stream().map(each -> new Entry(each.key().benchmark(), each.key().params(),
                Metric.of(each.unit(), each.samples()),
                each.bytes().isPresent()
                        ? Map.of(BYTES, Metric.of("#", List.of(each.bytes().getAsDouble())))
                        : Map.of()))
                .toList();
        Files.writeString(file, MAPPER.writeValueAsString(entries) + System.lineSeparator());
    }
}

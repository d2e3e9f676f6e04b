package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/**
 * All measurements of one benchmark.
 *
 * @param name of the benchmark, for people
 * @param measurements at least one
 */
record MeasurementGroup(String name, List<Measurement> measurements) {
    /** Copies. */
    MeasurementGroup {
        measurements = List.copyOf(measurements);
    }

    static List<MeasurementGroup> of(List<Measurement> measurements) {
        Map<String, List<Measurement>> byName = measurements.stream().collect(Collectors
                .groupingBy(each -> each.key().shortName(), LinkedHashMap::new, Collectors.toList()));
        List<MeasurementGroup> groups = new ArrayList<>();
        byName.forEach((name, members) -> groups.add(new MeasurementGroup(name, members)));
        return groups;
    }

    /** Parameters with the same value everywhere. */
    SortedMap<String, String> constants() {
        SortedMap<String, String> constants = new TreeMap<>();
        for (String param : params()) {
            if (valuesOf(param) == 1) {
                constants.put(param, measurements.getFirst().key().param(param));
            }
        }
        return constants;
    }

    /** Parameters with different values: ours and rivals last. */
    List<String> variables() {
        List<String> variables = new ArrayList<>(params());
        variables.removeIf(param -> valuesOf(param) == 1);
        if (variables.remove(BenchmarkKey.METHOD)) {
            variables.add(BenchmarkKey.METHOD);
        }
        return variables;
    }

    /** What was counted besides, in any of the measurements. */
    List<String> counters() {
        return measurements.stream().flatMap(each -> each.counters().keySet().stream()).sorted().distinct().toList();
    }

    private SortedSet<String> params() {
        return measurements.stream().flatMap(each -> each.key().params().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private long valuesOf(String param) {
        return measurements.stream().map(each -> each.key().param(param)).distinct().count();
    }

    /** In the order of the values of the parameters, numbers as numbers. */
    List<Measurement> sorted() {
        List<String> order = variables();
        return measurements.stream().sorted((a, b) -> {
            for (String param : order) {
                int difference = ParamText.compare(a.key().param(param), b.key().param(param));
                if (difference != 0) {
                    return difference;
                }
            }
            return 0;
        }).toList();
    }
}

package org.restorej.bench.result;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was measured: a benchmark and its parameters.
 *
 * @param benchmark its full name, as JMH gives it
 * @param params values by name
 */
public record BenchmarkKey(String benchmark, SortedMap<String, String> params) {
    /** The parameter that tells the library and its rivals apart. */
    public static final String METHOD = "method";

    /** The value of {@link #METHOD} for the library. */
    public static final String OURS = "restore";

    private static final String CLASS_SUFFIX = "Benchmark";
    private static final String ONLY_METHOD = ".run";

    /** Copies what can change. */
    public BenchmarkKey {
        params = Collections.unmodifiableSortedMap(new TreeMap<>(params));
    }

    /** Without parameters. */
    public static BenchmarkKey of(String benchmark) {
        return new BenchmarkKey(benchmark, new TreeMap<>());
    }

    /** A name for people: {@code Submit}, {@code Placement.holders}. */
    public String shortName() {
        int method = benchmark.lastIndexOf('.');
        String simple = benchmark.substring(benchmark.lastIndexOf('.', Math.max(0, method - 1)) + 1);
        return simple.replaceFirst(CLASS_SUFFIX + "(?=\\.|$)", "").replaceFirst("\\" + ONLY_METHOD + "$", "");
    }

    /** Value of a parameter; an empty text when there is none. */
    public String param(String name) {
        return params.getOrDefault(name, "");
    }

    /** The same with another value of a parameter. */
    public BenchmarkKey with(String name, String value) {
        Map<String, String> changed = new TreeMap<>(params);
        changed.put(name, value);
        return new BenchmarkKey(benchmark, new TreeMap<>(changed));
    }

    /** The same without a parameter: what a series of measurements has in common. */
    public BenchmarkKey without(String name) {
        SortedMap<String, String> rest = new TreeMap<>(params);
        rest.remove(name);
        return new BenchmarkKey(benchmark, rest);
    }

    /**
     * Whether it is of a rival of the library, beside a measurement of the library: the same benchmark, with the same
     * values of all parameters that the rival has.
     */
    public boolean isRivalOf(BenchmarkKey ours) {
        return ours.param(METHOD).equals(OURS) && params.containsKey(METHOD) && !param(METHOD).equals(OURS)
                && benchmark.equals(ours.benchmark) && params.entrySet().stream().allMatch(
                        param -> param.getKey().equals(METHOD) || param.getValue().equals(ours.param(param.getKey())));
    }

    /** {@code Submit (bytes=16777216, pes=4)}. */
    @Override
    public String toString() {
        return params.isEmpty()
                ? shortName()
                : shortName() + params.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(", ", " (", ")"));
    }
}

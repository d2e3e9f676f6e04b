package org.restorej.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/**
 * A line of {@code goals.txt}, which says what each column means. Pure.
 *
 * @param benchmark its short name, or the beginning of several, with a {@code *} behind it
 * @param params that a measurement must have for the goal to be one for it
 * @param quantity {@link #TIME}, or a counter
 * @param beside {@code PARAMETER=VALUE}, a counter, or {@link #NOTHING}
 * @param most what the ratio to that may be, or, beside nothing, the quantity itself
 */
record Goal(String benchmark, Map<String, String> params, String quantity, String beside, double most) {
    static final String TIME = "time";
    static final String NOTHING = "-";

    /** Copies. */
    Goal {
        params = Map.copyOf(params);
    }

    /**
     * A line.
     *
     * @throws IllegalArgumentException when it isn't one, with the line
     */
    static Goal parse(String line) {
        List<String> columns = Pattern.compile(";").splitAsStream(line).map(String::strip).toList();
        Map<String, String> params = new LinkedHashMap<>();
        try {
            if (!columns.get(1).isEmpty()) {
                for (String param : columns.get(1).split(", *", -1)) {
                    params.put(name(param), value(param));
                }
            }
            return new Goal(columns.get(0), params, columns.get(2), columns.get(3),
                    Double.parseDouble(columns.get(4)));
        } catch (NumberFormatException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException(
                    "a goal must be 'benchmark ; parameters ; quantity ; beside ; at most': '" + line + "'", wrong);
        }
    }

    private static String name(String param) {
        return param.substring(0, param.indexOf('='));
    }

    private static String value(String param) {
        return param.substring(param.indexOf('=') + 1);
    }

    boolean isFor(BenchmarkKey key) {
        return (benchmark.endsWith("*")
                ? key.shortName().startsWith(benchmark.substring(0, benchmark.length() - 1))
                : key.shortName().equals(benchmark))
                && params.entrySet().stream().allMatch(param -> key.param(param.getKey()).equals(param.getValue()));
    }

    /** What is to be at most so much: of a measurement for which it is a goal. */
    Optional<Double> quantityOf(Measurement measurement) {
        return quantity.equals(TIME)
                ? Optional.of(measurement.medianSeconds())
                : Optional.ofNullable(measurement.counters().get(quantity));
    }

    /** What that is compared with, where it was measured in the same run. */
    Optional<Double> reference(Measurement ours, List<Measurement> all) {
        return beside.contains("=")
                ? all.stream().filter(each -> isBeside(each.key(), ours.key())).findFirst().flatMap(this::quantityOf)
                : Optional.ofNullable(ours.counters().get(beside));
    }

    private boolean isBeside(BenchmarkKey other, BenchmarkKey ours) {
        return other.param(name(beside)).equals(value(beside)) && other.isComparableTo(ours, name(beside))
                && !other.equals(ours);
    }

    /** For the legend of a plot. */
    String legend() {
        return "goal: " + Quantity.digits(most) + " times " + value(beside);
    }
}

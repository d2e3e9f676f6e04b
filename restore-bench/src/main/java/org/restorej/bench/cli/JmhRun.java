package org.restorej.bench.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of JMH: some benchmarks, all combinations of some values of their parameters.
 *
 * @param include regular expression of names
 * @param params values of parameters, which all benchmarks of the run share; others have their defaults
 * @param options further options of JMH
 */
record JmhRun(String include, Map<String, List<String>> params, List<String> options) {
    /** Copies. */
    JmhRun {
        params = new LinkedHashMap<>(params);
        options = List.copyOf(options);
    }

    /** Of a benchmark's class, whose name ends in {@code Benchmark}. */
    static JmhRun of(String benchmark, String... options) {
        return new JmhRun(benchmark.replace(".", "\\.") + "Benchmark\\.", Map.of(), List.of(options));
    }

    /** The same with values of a parameter. */
    JmhRun with(String param, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(params);
        more.put(param, List.of(values));
        return new JmhRun(include, more, options);
    }

    /**
     * JMH's command line.
     *
     * @param resultFile where the JSON goes
     */
    List<String> arguments(String resultFile) {
        List<String> arguments = new ArrayList<>(List.of(include));
        params.forEach((name, values) -> arguments.addAll(List.of("-p", name + "=" + String.join(",", values))));
        arguments.addAll(options);
        arguments.addAll(List.of("-rf", "json", "-rff", resultFile));
        return arguments;
    }
}

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

    static JmhRun of(String include) {
        return new JmhRun(include, Map.of(), List.of());
    }

    /** The same with values of a parameter. */
    JmhRun with(String param, String... values) {
        return with(param, List.of(values));
    }

    /** The same with values of a parameter. */
    JmhRun with(String param, List<String> values) {
        Map<String, List<String>> more = new LinkedHashMap<>(params);
        more.put(param, List.copyOf(values));
        return new JmhRun(include, more, options);
    }

    /** The same with further options. */
    JmhRun options(String... further) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(further));
        return new JmhRun(include, params, all);
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

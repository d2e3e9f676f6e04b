package org.restorej.bench.result;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Measurements made up by tests. */
public final class Samples {
    private Samples() {}

    /** Parameters: names and values in turn. */
    public static BenchmarkKey key(String benchmark, String... params) {
        SortedMap<String, String> map = new TreeMap<>();
        for (int i = 0; i < params.length; i += 2) {
            map.put(params[i], params[i + 1]);
        }
        return new BenchmarkKey("org.restorej.bench.mpi." + benchmark, map);
    }

    /** Times in milliseconds. */
    public static Measurement of(BenchmarkKey key, double... millis) {
        List<Double> times = Arrays.stream(millis).boxed().toList();
        return new Measurement(key, "ms/op", times, OptionalDouble.of(1 << 20));
    }
}

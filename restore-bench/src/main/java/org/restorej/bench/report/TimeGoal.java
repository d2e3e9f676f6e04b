package org.restorej.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/**
 * How long measurements of one kind may take, next to a rival of the same run, or to times from elsewhere: the goals
 * that plots have a line for. Pure.
 *
 * @param name for people
 * @param benchmark its short name
 * @param params that a measurement must have for the goal to be one for it
 * @param rival the method to compare with; empty when {@code secondsByPes} is meant
 * @param secondsByPes times from elsewhere, by number of PEs
 * @param most how many times as long as that it may take
 */
record TimeGoal(String name, String benchmark, Map<String, String> params, String rival,
        Map<Long, Double> secondsByPes, double most) {
    static final long BYTES = 16 << 20;
    static final double FIRST_PULL_SECONDS = 20e-3;
    private static final String PES = "pes";
    private static final String WIRE = "wire";
    private static final Map<String, String> STORE = Map.of("bytes", Long.toString(BYTES), "blockBytes", "64",
            "replication", "4", "permutationRangeBytes", Integer.toString(256 << 10));

    static final TimeGoal SUBMIT = new TimeGoal("goal: 1.3 times the wire limit", "Submit",
            with(STORE, BenchmarkKey.METHOD, "restore"), WIRE, Map.of(), 1.3);
    static final TimeGoal WHOLE_SHARES = new TimeGoal("goal: 2 times the wire limit", "Pull",
            with(with(STORE, BenchmarkKey.METHOD, "restore"), "pattern", "ALL"), WIRE, Map.of(), 2);
    /** Of C++ ReStore. */
    static final TimeGoal SPREAD_PULL = new TimeGoal("goal: 0.6 times C++ ReStore", "Pull",
            with(with(STORE, BenchmarkKey.METHOD, "restore"), "pattern", "SHARE"), "", Map.of(4L, 3.5e-3, 8L, 3.8e-3),
            0.6);
    static final TimeGoal FIRST_PULL = new TimeGoal("goal: 20 ms", "FirstPull", STORE, "",
            Map.of(4L, FIRST_PULL_SECONDS), 1);
    static final TimeGoal NBX = new TimeGoal("goal: 1.15 times C", "Sparse", Map.of(BenchmarkKey.METHOD, "nbx"),
            "nbx-c", Map.of(), 1.15);

    /** Of the report's goals those for the time of a single benchmark. */
    static final List<TimeGoal> ALL = List.of(SUBMIT, WHOLE_SHARES, SPREAD_PULL, FIRST_PULL, NBX);

    /** Copies. */
    TimeGoal {
        params = Map.copyOf(params);
        secondsByPes = Map.copyOf(secondsByPes);
    }

    private static Map<String, String> with(Map<String, String> params, String name, String value) {
        Map<String, String> more = new TreeMap<>(params);
        more.put(name, value);
        return more;
    }

    boolean isFor(BenchmarkKey key) {
        return key.shortName().equals(benchmark) && params.entrySet().stream()
                .allMatch(param -> key.param(param.getKey()).equals(param.getValue()));
    }

    /** What a measurement is compared with, where there is a goal for it and something to compare with. */
    OptionalDouble referenceSeconds(Measurement ours, List<Measurement> all) {
        if (!isFor(ours.key())) {
            return OptionalDouble.empty();
        }
        if (rival.isEmpty()) {
            Double seconds = ours.key().param(PES).isEmpty()
                    ? null
                    : secondsByPes.get(Long.valueOf(ours.key().param(PES)));
            return seconds == null ? OptionalDouble.empty() : OptionalDouble.of(seconds);
        }
        Optional<Measurement> measured = all.stream()
                .filter(each -> each.key().equals(ours.key().with(BenchmarkKey.METHOD, rival))).findFirst();
        return measured.isPresent()
                ? OptionalDouble.of(measured.get().medianSeconds())
                : OptionalDouble.empty();
    }
}

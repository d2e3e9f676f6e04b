package org.restorej.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * New results beside old ones.
 *
 * <p>
 * Something is slower when even its lower quartile is above the upper quartile of before, so that the middle halves of
 * the times have nothing in common, and its median is longer by more than {@link #TOLERANCE}; faster the other way
 * round. All other differences are within the spread.
 *
 * @param rows what was measured both times, in the order of the new results
 * @param onlyBefore what was measured only before
 * @param onlyNow what was measured only now
 */
public record Comparison(List<Row> rows, List<BenchmarkKey> onlyBefore, List<BenchmarkKey> onlyNow) {
    /** Medians that differ by less are the same: a machine is not that much the same from day to day. */
    public static final double TOLERANCE = 0.05;

    /** What came of something. */
    public enum Verdict {
        /** Beyond the spread. */
        SLOWER,
        /** Within it. */
        SAME,
        /** Beyond the spread. */
        FASTER
    }

    /**
     * One benchmark with one set of parameters.
     *
     * @param before the old times
     * @param now the new ones
     */
    public record Row(Measurement before, Measurement now) {
        /** New median by old median. */
        public double ratio() {
            return now.median() / before.median();
        }

        /** Whether it became slower or faster. */
        public Verdict verdict() {
            if (ratio() > 1 + TOLERANCE && now.lowerQuartile() > before.upperQuartile()) {
                return Verdict.SLOWER;
            }
            return ratio() < 1 / (1 + TOLERANCE) && now.upperQuartile() < before.lowerQuartile()
                    ? Verdict.FASTER
                    : Verdict.SAME;
        }
    }

    /** Copies. */
    public Comparison {
        rows = List.copyOf(rows);
        onlyBefore = List.copyOf(onlyBefore);
        onlyNow = List.copyOf(onlyNow);
    }

    /** Compares by benchmark and parameters. */
    public static Comparison of(List<Measurement> before, List<Measurement> now) {
        Map<BenchmarkKey, Measurement> old = before.stream()
                .collect(Collectors.toMap(Measurement::key, Function.identity(), (first, _) -> first));
        List<Row> rows = new ArrayList<>();
        List<BenchmarkKey> onlyNow = new ArrayList<>();
        List<BenchmarkKey> onlyBefore = new ArrayList<>(before.stream().map(Measurement::key).toList());
        for (Measurement measurement : now) {
            Measurement counterpart = old.get(measurement.key());
            if (counterpart == null) {
                onlyNow.add(measurement.key());
            } else {
                rows.add(new Row(counterpart, measurement));
                onlyBefore.remove(counterpart.key());
            }
        }
        return new Comparison(rows, onlyBefore, onlyNow);
    }

    /** What became slower beyond the spread. */
    public List<Row> slower() {
        return rows.stream().filter(row -> row.verdict() == Verdict.SLOWER).toList();
    }
}

package org.restorej.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Comparison;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.RivalRatio;

/** What was measured with MPI called by foreign functions and by the Java bindings in the same run. Pure. */
final class Transports {
    /** How much of the bindings' time a job may take from its main method to a built store. */
    private static final double MOST_OF_A_START = 0.6;
    private static final String NATIVE = MpiTransport.NATIVE.text();
    private static final String BINDINGS = MpiTransport.BINDINGS.text();
    private static final String INTRODUCTION = """
            Jobs by turns in the same run. A native call is slower than one of the bindings when the middle halves of
            the times don't overlap and the medians differ by more than 5 %; first calls are one for each job.
            """;

    private Transports() {}

    /** What goals are stated for: native calls, where there are any. */
    static List<Measurement> main(List<Measurement> measurements) {
        return measurements.stream().anyMatch(each -> isOf(NATIVE, each))
                ? measurements.stream().filter(each -> !isOf(BINDINGS, each)).toList()
                : measurements;
    }

    private static boolean isOf(String transport, Measurement measurement) {
        return measurement.key().param(MpiTransport.PARAM).equals(transport);
    }

    /** The section of a report, or nothing when only one way was measured. */
    static String text(List<Measurement> measurements) {
        return TargetRow.table("Native calls beside the bindings", INTRODUCTION, rows(measurements));
    }

    static List<TargetRow> rows(List<Measurement> measurements) {
        Map<BenchmarkKey, Measurement> bindings = measurements.stream().filter(each -> isOf(BINDINGS, each))
                .collect(Collectors.toMap(each -> each.key().with(MpiTransport.PARAM, NATIVE), Function.identity(),
                        (first, _) -> first));
        return measurements.stream().filter(each -> isOf(NATIVE, each))
                .filter(each -> RivalRatio.isOurs(each) || each.key().param(BenchmarkKey.METHOD).isEmpty())
                .flatMap(each -> Stream.ofNullable(bindings.get(each.key())).map(other -> row(each, other))).toList();
    }

    private static TargetRow row(Measurement ours, Measurement bindings) {
        String name = ours.key().shortName();
        Optional<Double> most = name.equals("JobLife." + JobLife.FROM_MAIN)
                ? Optional.of(MOST_OF_A_START)
                : Optional.empty();
        double ratio = ours.medianSeconds() / bindings.medianSeconds();
        boolean isReached = most.map(limit -> ratio <= limit).orElse(
                new Comparison.Row(bindings, ours).verdict() != Comparison.Verdict.SLOWER);
        return new TargetRow(name, at(ours.key()), Quantity.time(ours.medianSeconds()),
                "bindings " + Quantity.time(bindings.medianSeconds()), Quantity.digits(ratio),
                most.map(TargetRow::atMost).orElse("not slower"), isReached);
    }

    private static String at(BenchmarkKey key) {
        SortedMap<String, String> params = new TreeMap<>(key.params());
        params.remove(MpiTransport.PARAM);
        return ParamText.list(params);
    }
}

package org.restorej.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final BenchmarkKey SUBMIT = Samples.key("SubmitBenchmark.run", "pes", "4");
    private static final BenchmarkKey PULL = Samples.key("PullBenchmark.run", "pes", "4");

    private static Comparison.Verdict verdict(double[] before, double[] now) {
        return new Comparison.Row(Samples.of(SUBMIT, before), Samples.of(SUBMIT, now)).verdict();
    }

    @Test
    void comparesTheMiddleHalves() {
        double[] before = {10, 11, 12, 13, 14};
        double[] slower = {14, 15, 16, 17, 18};
        assertEquals(Comparison.Verdict.SLOWER, verdict(before, slower));
        assertEquals(Comparison.Verdict.FASTER, verdict(slower, before));
        assertEquals(Comparison.Verdict.SAME, verdict(before, new double[]{12, 12.5, 14, 15, 16}), "they overlap");
        assertEquals(Comparison.Verdict.SAME, verdict(before, new double[]{10, 11, 12, 13, 500}), "one outlier");
    }

    @Test
    void isTheSameWhereTheMediansHardlyDiffer() {
        assertEquals(Comparison.Verdict.SAME, verdict(new double[]{10, 10, 10}, new double[]{10.4, 10.4, 10.4}));
        assertEquals(Comparison.Verdict.SLOWER, verdict(new double[]{10, 10, 10}, new double[]{10.6, 10.6, 10.6}));
    }

    @Test
    void namesWhatWasMeasuredOnlyOnce() {
        Comparison comparison = Comparison.of(List.of(Samples.of(SUBMIT, 1), Samples.of(PULL, 1)),
                List.of(Samples.of(PULL, 3), Samples.of(PULL.with("pes", "8"), 1)));
        assertEquals(List.of(SUBMIT), comparison.onlyBefore());
        assertEquals(List.of(PULL.with("pes", "8")), comparison.onlyNow());
        assertEquals(1, comparison.slower().size());
        assertEquals(3, comparison.slower().getFirst().ratio(), 1e-9);
    }

    @Test
    void understandsThatUnitsMayHaveChanged() {
        Measurement micros = new Measurement(SUBMIT, "us/op", List.of(10_000.0), OptionalDouble.empty());
        assertEquals(Comparison.Verdict.SAME, new Comparison.Row(Samples.of(SUBMIT, 10), micros).verdict());
    }

    @Test
    void quantilesAreThoseOfTheFormula() {
        Measurement measurement = Samples.of(SUBMIT, 4, 1, 3, 2);
        assertEquals(2.5e-3, measurement.median(), 1e-12);
        assertEquals(1.75e-3, measurement.lowerQuartile(), 1e-12);
        assertEquals(3.25e-3, measurement.upperQuartile(), 1e-12);
    }
}

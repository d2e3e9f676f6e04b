package org.restorej.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SlopeTest {
    private static List<Measurement> measured(DoubleUnaryOperator millis, double... bytes) {
        return DoubleStream.of(bytes).mapToObj(each -> Samples.of(
                Samples.key("SubmitBenchmark.run", "bytes", Long.toString((long) each), "pes", "4"),
                millis.applyAsDouble(each))).toList();
    }

    @Test
    void findsTheLineThatItWasGiven() {
        Slope slope = Slope.over("bytes", measured(bytes -> 3 + bytes * 2e-3, 1e3, 1e4, 1e5, 1e6)).getFirst();
        assertEquals(3e-3, slope.fixedSeconds(), 1e-9);
        assertEquals(2e-6, slope.secondsPerUnit(), 1e-15);
        assertEquals(1, slope.fit(), 1e-12);
        assertEquals(4, slope.points());
    }

    @Test
    void findsTheExponentThatItWasGiven() {
        Slope slope = Slope.over("bytes", measured(bytes -> 7 * Math.pow(bytes, 1.5), 1e3, 1e4, 1e5, 1e6)).getFirst();
        assertEquals(1.5, slope.exponent(), 1e-12);
        assertEquals(0, slope.exponentError(), 1e-6);
    }

    @Test
    void saysNothingAboutThreeValues() {
        assertEquals(List.of(), Slope.over("bytes", measured(bytes -> bytes, 1e3, 1e4, 1e5)));
    }

    @Test
    void hasASlopeForEachSeries() {
        List<Measurement> both = new ArrayList<>();
        for (Measurement each : measured(bytes -> bytes, 1e3, 1e4, 1e5, 1e6)) {
            both.add(each);
            both.add(Samples.of(each.key().with("pes", "8"), 2 * each.median()));
        }
        List<Slope> slopes = Slope.over("bytes", both);
        assertEquals(List.of("4", "8"), slopes.stream().map(each -> each.series().param("pes")).toList());
        assertEquals(2e-3, slopes.getLast().secondsPerUnit(), 1e-12);
    }
}

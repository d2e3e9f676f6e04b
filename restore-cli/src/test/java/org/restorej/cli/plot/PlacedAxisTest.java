package org.restorej.cli.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacedAxisTest {
    private static final double LETTER = 8;
    private static final double DISTANCE = 10;

    private static List<PlacedAxis.Tick> ticks(Axis axis, double length, Double... values) {
        return PlacedAxis.around(axis, List.of(values), 0, length).ticks(PlacedAxisTest::extent);
    }

    private static double extent(String label) {
        return label.length() * LETTER + DISTANCE;
    }

    private static List<String> labels(Axis axis, double length, Double... values) {
        return ticks(axis, length, values).stream().map(PlacedAxis.Tick::label).toList();
    }

    private static String joined(Axis axis, double length, double low, double high) {
        return String.join(" ", labels(axis, length, low, high));
    }

    @ParameterizedTest
    @CsvSource({"8.11, 72.3, 10 20 50", "0.02, 3, 0.02 0.05 0.1 0.2 0.5 1 2", "4, 10, 4 5 6 7 8 9 10",
            "20.5, 25.8, 21 22 23 24 25 26", "1e-12, 1, 1e-12 1e-10 1e-8 1e-6 1e-4 0.01 1", "7, 7, 4 5 6 7 8 9 10",
            "3.4e8, 1.3e9, 4e8 6e8 8e8 1e9 1.2e9"})
    void labelsRoundNumbersByRatios(double low, double high, String expected) {
        assertEquals(expected, joined(Axis.log("time"), 400, low, high));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0 0.2 0.4 0.6 0.8 1", "0.9, 1.31, 0.9 0.95 1 1.05 1.1 1.15 1.2 1.25 1.3",
            "-3, 3, -3 -2 -1 0 1 2 3",
            "0, 0, -1 -0.5 0 0.5 1", "1e-7, 3e-7, 1e-7 1.5e-7 2e-7 2.5e-7 3e-7"})
    void labelsRoundNumbersEvenly(double low, double high, String expected) {
        assertEquals(expected, joined(Axis.linear("ratio"), 460, low, high));
    }

    @Test
    void labelsPointsAndLeavesOutWhatWouldLieOnOthers() {
        assertEquals(List.of("2", "4", "8"), labelsAt(400, 2.0, 8.0, 4.0, 4.0));
        assertEquals(List.of("1000", "", "1200", "", "1400"), labelsAt(120, 1000.0, 1100.0, 1200.0, 1300.0, 1400.0));
        assertEquals(List.of("3"), labelsAt(400, 3.0));
    }

    private static List<String> labelsAt(double length, Double... values) {
        return labels(new Axis("PEs", true, List.of(values), Axis::number), length, values);
    }

    @Test
    void placesValuesFromEndToEnd() {
        PlacedAxis up = new PlacedAxis(Axis.linear("ratio"), -1, 3, 200, 100);
        assertEquals(List.of(200.0, 150.0, 100.0), List.of(up.place(-1), up.place(1), up.place(3)));
        PlacedAxis across = new PlacedAxis(Axis.log("time"), 0.1, 1000, 50, 90);
        assertEquals(60, across.place(1), 1e-9);
        PlacedAxis around = PlacedAxis.around(Axis.log("time"), List.of(10.0, 1.0), 0, 108);
        assertEquals(4, around.place(1), 1e-9);
        assertEquals(104, around.place(10), 1e-9);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void hasAtLeastThreeLabelsThatDontOverlapWhateverTheValues(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            double low = Math.pow(10, random.nextDouble(-9, 9));
            double high = low * (1.00002 + Math.pow(10, random.nextDouble(-5, 8)));
            for (Axis axis : List.of(Axis.log("x"), Axis.linear("x"))) {
                List<PlacedAxis.Tick> labelled = ticks(axis, 450, low, high).stream()
                        .filter(tick -> !tick.label().isEmpty()).toList();
                String what = "seed=" + seed + ", low=" + low + ", high=" + high + ", " + axis.isLogarithmic() + ": "
                        + labelled;
                assertTrue(labelled.size() >= 3, what);
                assertTrue(labelled.getFirst().place() >= -0.01 && labelled.getLast().place() <= 450.01, what);
                assertEquals(labelled.size(), labelled.stream().map(PlacedAxis.Tick::label).distinct().count(), what);
                for (int t = 1; t < labelled.size(); t++) {
                    PlacedAxis.Tick a = labelled.get(t - 1);
                    PlacedAxis.Tick b = labelled.get(t);
                    assertTrue(b.place() - a.place() >= (extent(a.label()) + extent(b.label())) / 2, what);
                }
            }
        }
    }
}

package org.restorej.bench.result;

import java.util.List;
import java.util.OptionalDouble;
import org.hipparchus.stat.descriptive.rank.Percentile;

/**
 * The times of one benchmark. Quantiles interpolate as most tools do (type 7 of Hyndman and Fan).
 *
 * @param key what was measured
 * @param unit of the times, as JMH says it: {@code ms/op}
 * @param samples one time for each measurement, at least one
 * @param bytes moved by one operation, where the benchmark has counted them
 */
public record Measurement(BenchmarkKey key, String unit, List<Double> samples, OptionalDouble bytes) {
    /** Checks and copies. */
    public Measurement {
        samples = List.copyOf(samples);
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("samples must not be empty: key=" + key);
        }
    }

    /** What another program than JMH has measured. */
    public static Measurement ofMillis(BenchmarkKey key, List<Double> millis) {
        return new Measurement(key, "ms/op", millis, OptionalDouble.empty());
    }

    /** The time of which half of all are shorter, in seconds, as the next two. */
    public double median() {
        return quantile(50);
    }

    /** The time of which a quarter are shorter. */
    public double lowerQuartile() {
        return quantile(25);
    }

    /** The time of which three quarters are shorter. */
    public double upperQuartile() {
        return quantile(75);
    }

    private double quantile(double percent) {
        double[] values = samples.stream().mapToDouble(Double::doubleValue).toArray();
        return secondsPerUnit()
                * new Percentile().withEstimationType(Percentile.EstimationType.R_7).evaluate(values, percent);
    }

    private double secondsPerUnit() {
        return switch (unit) {
            case "ns/op" -> 1e-9;
            case "us/op" -> 1e-6;
            case "ms/op" -> 1e-3;
            case "s/op" -> 1;
            default -> throw new IllegalArgumentException("only times of operations are understood: unit=" + unit);
        };
    }

    /** Bytes in a second, by the median. */
    public OptionalDouble bytesPerSecond() {
        return bytes.isPresent() && bytes.getAsDouble() > 0 && median() > 0
                ? OptionalDouble.of(bytes.getAsDouble() / median())
                : OptionalDouble.empty();
    }
}

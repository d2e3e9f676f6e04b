package org.restorej.bench.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * How a time grows with a parameter, by two fits to the medians of at least four values: a power law (least squares of
 * the logarithms), whose exponent is 1 for linear growth, and a straight line, whose slope is the cost of one more.
 *
 * @param series what the measurements have in common
 * @param param the parameter
 * @param points how many values it has
 * @param exponent of the power law
 * @param exponentError half the width of its 95 % confidence interval
 * @param fixedSeconds time of the straight line at 0
 * @param secondsPerUnit slope of the straight line
 * @param fit how much of the variation the straight line explains (R²)
 */
public record Slope(BenchmarkKey series, String param, int points, double exponent, double exponentError,
        double fixedSeconds, double secondsPerUnit, double fit) {
    /** Fewer values say nothing about how something grows. */
    public static final int LEAST_POINTS = 4;

    /** All slopes over one parameter, one for each combination of the others that has enough values of it. */
    public static List<Slope> over(String param, List<Measurement> measurements) {
        Map<BenchmarkKey, List<Measurement>> series = measurements.stream()
                .filter(each -> each.key().params().containsKey(param) && value(param, each) > 0)
                .collect(Collectors.groupingBy(each -> each.key().without(param), LinkedHashMap::new,
                        Collectors.toList()));
        List<Slope> slopes = new ArrayList<>();
        series.forEach((key, points) -> {
            if (points.size() >= LEAST_POINTS) {
                slopes.add(fitted(key, param, points));
            }
        });
        return slopes;
    }

    private static Slope fitted(BenchmarkKey series, String param, List<Measurement> points) {
        SimpleRegression power = new SimpleRegression();
        SimpleRegression line = new SimpleRegression();
        points.stream().sorted(Comparator.comparingDouble(each -> value(param, each))).forEach(each -> {
            power.addData(Math.log(value(param, each)), Math.log(each.medianSeconds()));
            line.addData(value(param, each), each.medianSeconds());
        });
        return new Slope(series, param, points.size(), power.getSlope(), power.getSlopeConfidenceInterval(),
                line.getIntercept(), line.getSlope(), line.getRSquare());
    }

    private static double value(String param, Measurement measurement) {
        return Double.parseDouble(measurement.key().param(param));
    }
}

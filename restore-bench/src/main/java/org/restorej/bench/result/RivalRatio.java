package org.restorej.bench.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Our time by a rival's, of the same run: above 1 where the rival is faster. A rival has been measured with the same
 * parameters as ours, as far as it has them: a program in C has no options of a JVM.
 *
 * @param ours the library's times
 * @param rival the rival's
 */
public record RivalRatio(Measurement ours, Measurement rival) {
    /** The values of {@link BenchmarkKey#METHOD} that are no rivals. */
    private static final List<String> OURS = List.of("restore", "changes", "nbx");

    /** All pairs of one of ours and one rival. */
    public static List<RivalRatio> among(List<Measurement> measurements) {
        Map<String, List<Measurement>> groups = measurements.stream()
                .filter(each -> each.key().params().containsKey(BenchmarkKey.METHOD))
                .collect(Collectors.groupingBy(each -> each.key().benchmark(), LinkedHashMap::new,
                        Collectors.toList()));
        List<RivalRatio> ratios = new ArrayList<>();
        for (List<Measurement> group : groups.values()) {
            for (Measurement ours : group) {
                for (Measurement rival : group) {
                    if (isOurs(ours) && !isOurs(rival) && rival.key().isComparableTo(ours.key(), BenchmarkKey.METHOD)) {
                        ratios.add(new RivalRatio(ours, rival));
                    }
                }
            }
        }
        return ratios;
    }

    /** Whether it is the library's and not a rival's. */
    public static boolean isOurs(Measurement measurement) {
        return OURS.contains(measurement.key().param(BenchmarkKey.METHOD));
    }

    /** Median by median. */
    public double ratio() {
        return ours.medianSeconds() / rival.medianSeconds();
    }
}

package org.restorej.bench.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Our time by a rival's, of the same run with the same parameters: above 1 where the rival is faster.
 *
 * @param ours the library's times
 * @param rival the rival's
 */
public record RivalRatio(Measurement ours, Measurement rival) {
    /** The values of {@link BenchmarkKey#METHOD} that are no rivals. */
    private static final List<String> OURS = List.of("restore", "restore-async", "restore-huge", "push", "nbx",
            "redset",
            "reproducible", "isal");

    /** All pairs of one of ours and one rival. */
    public static List<RivalRatio> among(List<Measurement> measurements) {
        Map<BenchmarkKey, List<Measurement>> groups = measurements.stream()
                .filter(each -> each.key().params().containsKey(BenchmarkKey.METHOD))
                .collect(Collectors.groupingBy(each -> each.key().without(BenchmarkKey.METHOD), LinkedHashMap::new,
                        Collectors.toList()));
        List<RivalRatio> ratios = new ArrayList<>();
        for (List<Measurement> group : groups.values()) {
            for (Measurement ours : group) {
                for (Measurement rival : group) {
                    if (isOurs(ours) && !isOurs(rival)) {
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

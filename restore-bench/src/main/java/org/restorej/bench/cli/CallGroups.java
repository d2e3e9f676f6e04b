package org.restorej.bench.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which calls of a job are told apart, since its first ones take longer. */
enum CallGroups {
    /** None. */
    ALL {
        @Override
        Map<String, List<Double>> of(List<Double> millis) {
            return Map.of("", millis);
        }
    },
    /** The first call, calls 2 to 20, and later ones. */
    EARLY_AND_LATER {
        @Override
        Map<String, List<Double>> of(List<Double> millis) {
            int early = Math.min(20, millis.size());
            return withoutEmpty("2 to 20", millis.subList(1, early), early, millis);
        }
    },
    /** The first call, the third, and later ones. */
    THIRD {
        @Override
        Map<String, List<Double>> of(List<Double> millis) {
            int early = Math.min(3, millis.size());
            return withoutEmpty("3", millis.subList(Math.min(2, early), early), early, millis);
        }
    };

    /** The times of at least one call, by which calls they are; without those that there are none of. */
    abstract Map<String, List<Double>> of(List<Double> millis);

    private static Map<String, List<Double>> withoutEmpty(String name, List<Double> middle, int early,
            List<Double> millis) {
        Map<String, List<Double>> groups = new LinkedHashMap<>();
        groups.put("1", millis.subList(0, 1));
        groups.put(name, middle);
        groups.put("later", millis.subList(early, millis.size()));
        groups.values().removeIf(List::isEmpty);
        return groups;
    }
}

package org.restorej.cli.plan;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses replication levels: {@code 3}, {@code 2..6}, {@code 2,3,5..7}. */
final class ReplicationLevels {
    /** A higher level is useless, and the mean failures until loss take time {@code O(K^3)}. */
    static final int MAX = 16;
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(?:\\.\\.([0-9]{1,9}))?");

    private ReplicationLevels() {}

    /**
     * Parses levels.
     *
     * @param text as given
     * @param peCount number of ranks P, the maximum level; not positive if unknown
     * @param errors receives error messages
     * @return ascending, without duplicates; empty if there is an error
     */
    static List<Integer> parse(String text, int peCount, List<String> errors) {
        TreeSet<Integer> levels = new TreeSet<>();
        int most = peCount < 1 ? MAX : Math.min(MAX, peCount);
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()) {
                errors.add("--replication must be levels as in 3, 2..6 or 2,4: --replication=" + text);
                return List.of();
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first > last) {
                errors.add("--replication must go from the smaller level to the larger: " + part);
                return List.of();
            }
            if (first < 1 || last > most) {
                errors.add("--replication must be in 1.." + most
                        + (most == peCount ? ", the number of ranks: " : ": ") + "--replication=" + part);
                return List.of();
            }
            for (int level = first; level <= last; level++) {
                levels.add(level);
            }
        }
        return List.copyOf(levels);
    }
}

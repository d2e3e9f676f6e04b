package org.restorej.faults;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A failure of a PE at one of its communication calls.
 *
 * @param pe original rank of the PE
 * @param call number of communication calls of the PE before this one
 * @param before whether the PE fails before the call has an effect; otherwise the call takes effect, but doesn't return
 */
public record Failure(int pe, long call, boolean before) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})@(\\d{1,18})([-+])");

    /** The failures as {@link #toString} writes them, separated by commas. */
    static String text(List<Failure> failures) {
        return failures.stream().map(Failure::toString).collect(Collectors.joining(", "));
    }

    static List<Failure> parse(String text) {
        return Stream.of(text.split(",", -1)).map(part -> {
            Matcher matcher = TEXT.matcher(part.strip());
            if (!matcher.matches()) {
                throw new IllegalArgumentException("failures must be like \"1@17-, 0@40+\": failures=" + text);
            }
            return new Failure(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)),
                    matcher.group(3).equals("-"));
        }).toList();
    }

    /** Such as "1@17-": PE 1 before its call 17 has an effect; "+" means after. */
    @Override
    public String toString() {
        return pe + "@" + call + (before ? "-" : "+");
    }
}

package org.restorej.redset.internal.format;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of an XOR file that SCR itself has written: {@code <rank+1>_of_<ranks>_in_<id>.xor}.
 *
 * @param rank rank in the set, from 0
 * @param ranks processes of the set
 * @param id of the set; SCR takes the least world rank of its members
 */
public record ScrFileName(int rank, int ranks, int id) {
    private static final String NUMBER = "(0|[1-9]\\d{0,8})";
    private static final Pattern NAME = Pattern.compile(NUMBER + "_of_" + NUMBER + "_in_" + NUMBER + "\\.xor");

    /** Takes a name apart; empty when it is none. */
    public static Optional<ScrFileName> parse(String fileName) {
        Matcher matcher = NAME.matcher(fileName);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int rank = Integer.parseInt(matcher.group(1)) - 1;
        int ranks = Integer.parseInt(matcher.group(2));
        return rank >= 0 && rank < ranks
                ? Optional.of(new ScrFileName(rank, ranks, Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    /** The same set, another member. */
    public ScrFileName ofMember(int otherRank) {
        return new ScrFileName(otherRank, ranks, id);
    }

    @Override
    public String toString() {
        return (rank + 1) + "_of_" + ranks + "_in_" + id + ".xor";
    }
}

package org.restorej.redset.internal.scr;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of an XOR file that SCR itself has written.
 *
 * @param form one of SCR's two forms of the name
 * @param rank rank in the set, from 0
 * @param ranks number of processes of the set
 * @param id id of the set; SCR uses the minimum world rank of its members
 */
public record ScrFileName(Form form, int rank, int ranks, int id) {
    private static final String MEMBER = "(?<member>[1-9]\\d{0,8})_of_(?<members>[1-9]\\d{0,8})";
    private static final String SET = "(?<set>0|[1-9]\\d{0,8})";

    /** A form of the name. */
    public enum Form {
        /** {@code <rank+1>_of_<ranks>_in_<id>.xor}: before February 2014, and still in SCR's documentation. */
        DOCUMENTED(MEMBER + "_in_" + SET + "\\.xor"),
        /** {@code xor.<id>_<rank+1>_of_<ranks>.scr}: releases 1.1.8 to 2.0.0. */
        RELEASED("xor\\." + SET + "_" + MEMBER + "\\.scr");

        private final Pattern pattern;

        Form(String pattern) {
            this.pattern = Pattern.compile(pattern);
        }
    }

    /** Parses a name. Empty if it has neither form. */
    public static Optional<ScrFileName> parse(String fileName) {
        for (Form form : Form.values()) {
            Matcher matcher = form.pattern.matcher(fileName);
            if (matcher.matches()) {
                int rank = Integer.parseInt(matcher.group("member")) - 1;
                int ranks = Integer.parseInt(matcher.group("members"));
                return rank < ranks
                        ? Optional.of(new ScrFileName(form, rank, ranks, Integer.parseInt(matcher.group("set"))))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** The name of another member of the same set. */
    public ScrFileName ofMember(int otherRank) {
        return new ScrFileName(form, otherRank, ranks, id);
    }

    @Override
    public String toString() {
        String member = (rank + 1) + "_of_" + ranks;
        return switch (form) {
            case DOCUMENTED -> member + "_in_" + id + ".xor";
            case RELEASED -> "xor." + id + "_" + member + ".scr";
        };
    }
}

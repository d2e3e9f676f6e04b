package org.restorej.redset.internal.format;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of redset's files. A prefix is put in front as it is, so {@code out/ckpt.} and {@code out/} both name a
 * directory.
 */
public final class RedsetFileNames {
    /** What ends the names of redset's files. */
    public static final String EXTENSION = ".redset";

    /** Begins the last part of all names that are used on the way: {@code <prefix><W>.restorej-}. */
    public static final String MARK = "restorej-";

    private static final String CHECKSUM_EXTENSION = ".checksums";
    /** A number without zeros in front: a zero there belongs to the prefix. */
    private static final String NUMBER = "(0|[1-9]\\d{0,9})";
    private static final Pattern REDUNDANCY = Pattern.compile("(?s)(.*?)" + NUMBER + "\\.(single|partner|xor|rs)\\.grp_"
            + NUMBER + "_of_" + NUMBER + "\\.mem_" + NUMBER + "_of_" + NUMBER + "\\.redset");
    private static final Pattern DESCRIPTOR = Pattern.compile("(?s).*?" + NUMBER + "\\.redset");

    /** What the names of all files of a rank begin with. */
    private static final Pattern RANK_PREFIX = Pattern.compile("(?s).*?" + NUMBER + "\\.");

    /** What a commit has on the way; not a lock or a file that is incomplete. */
    private static final Pattern OF_COMMIT = Pattern
            .compile("(?s).*?" + NUMBER + "\\." + MARK + "(old\\.\\d+|staged|decided|aborted|dropped)");

    private static final Pattern RANK = Pattern.compile(NUMBER + "\\.");

    private RedsetFileNames() {}

    /**
     * The name of a redundancy file, parsed. If the prefix ends in a digit, the prefix here is too short and the world
     * rank too large; only the header has the right ones.
     *
     * @param prefix what is in front of the world rank
     * @param worldRank rank in the communicator of the application
     * @param typeName scheme, in upper case
     * @param group id of the set, from 0
     * @param groups number of sets
     * @param rank rank in the set, from 0
     * @param ranks processes of the set
     */
    public record Redundancy(String prefix, int worldRank, String typeName, int group, int groups, int rank,
            int ranks) {}

    /** {@code <prefix><W>.redset}. */
    public static String descriptor(String prefix, int worldRank) {
        return prefix + worldRank + EXTENSION;
    }

    /** {@code <prefix><W>.<type>.grp_<G+1>_of_<GROUPS>.mem_<R+1>_of_<RANKS>.redset}. */
    public static String redundancy(String prefix, Descriptor descriptor) {
        // Long, as 1-based numbers may not fit.
        return prefix + descriptor.worldRank() + "." + descriptor.scheme().typeName().toLowerCase(Locale.ROOT) + ".grp_"
                + (descriptor.group() + 1L) + "_of_" + descriptor.groups() + ".mem_" + (descriptor.rank() + 1L) + "_of_"
                + descriptor.ranks() + EXTENSION;
    }

    /** Name of our own file of checksums, beside the redundancy file of the same rank. */
    public static String checksums(String prefix, Descriptor descriptor) {
        return redundancy(prefix, descriptor) + CHECKSUM_EXTENSION;
    }

    /** Our own file of checksums beside a redundancy file; it need not be there. */
    public static Path checksums(Path redundancy) {
        return redundancy.resolveSibling(redundancy.getFileName() + CHECKSUM_EXTENSION);
    }

    /** Takes the name of a redundancy file apart; empty when it is none. */
    public static Optional<Redundancy> parseRedundancy(String fileName) {
        Matcher matcher = REDUNDANCY.matcher(fileName);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int[] numbers = {number(matcher, 2), number(matcher, 4) - 1, number(matcher, 5), number(matcher, 6) - 1,
                number(matcher, 7)};
        boolean sound = numbers[0] >= 0 && numbers[1] >= 0 && numbers[1] < numbers[2] && numbers[3] >= 0
                && numbers[3] < numbers[4];
        String typeName = matcher.group(3).toUpperCase(Locale.ROOT);
        return sound
                ? Optional.of(new Redundancy(matcher.group(1), numbers[0], typeName, numbers[1], numbers[2], numbers[3],
                        numbers[4]))
                : Optional.empty();
    }

    /** Whether a file is a descriptor file by its name. */
    public static boolean isDescriptor(String fileName) {
        Matcher matcher = DESCRIPTOR.matcher(fileName);
        return matcher.matches() && parseRedundancy(fileName).isEmpty() && number(matcher, 1) >= 0;
    }

    /** Whether the names of a rank's files can begin so: {@code <prefix><W>.}. */
    public static boolean isRankPrefix(String text) {
        return RANK_PREFIX.matcher(text).matches();
    }

    /**
     * Whether a file is one of those that protect a rank: its descriptor, or a redundancy file or file of checksums of
     * any encoding.
     *
     * @param rankPrefix what the names of its files begin with: {@code <prefix><W>.}
     * @param fileName the file's name, without a directory
     */
    public static boolean isOfRank(String rankPrefix, String fileName) {
        if (!isRankPrefix(rankPrefix) || !fileName.startsWith(rankPrefix)) {
            return false;
        }
        // Parsed as if of rank 0 without a prefix: a prefix that itself ends in digits would be taken for the rank.
        String rest = "0." + fileName.substring(rankPrefix.length());
        String redundancy = rest.endsWith(EXTENSION + CHECKSUM_EXTENSION)
                ? rest.substring(0, rest.length() - CHECKSUM_EXTENSION.length())
                : rest;
        Optional<Redundancy> parsed = parseRedundancy(redundancy);
        return rest.equals(descriptor("", 0)) || (parsed.isPresent() && parsed.get().prefix().isEmpty());
    }

    /**
     * Whether a file is one of those that protect any rank, or is made on the way to them: a descriptor, redundancy file
     * or file of checksums, a journal, a file before it is in its place, or one that was there before.
     *
     * @param prefix what is in front of the rank
     * @param fileName the file's name, without a directory
     */
    public static boolean isOfSomeRank(String prefix, String fileName) {
        if (!fileName.startsWith(prefix)) {
            return false;
        }
        Matcher rank = RANK.matcher(fileName.substring(prefix.length()));
        return rank.lookingAt() && (fileName.startsWith(MARK, prefix.length() + rank.end())
                || isOfRank(prefix + rank.group(), fileName));
    }

    /**
     * The rank that a descriptor, redundancy file or file of checksums is of; empty for other files.
     *
     * @param prefix what is in front of the rank
     * @param fileName the file's name, without a directory
     */
    public static OptionalInt rankOf(String prefix, String fileName) {
        if (!fileName.startsWith(prefix)) {
            return OptionalInt.empty();
        }
        Matcher rank = RANK.matcher(fileName.substring(prefix.length()));
        return rank.lookingAt() && number(rank, 1) >= 0 && isOfRank(prefix + rank.group(), fileName)
                ? OptionalInt.of(number(rank, 1))
                : OptionalInt.empty();
    }

    /** Whether a file is one of redset's: a descriptor or redundancy file of any rank and prefix. */
    public static boolean isOfRedset(String fileName) {
        return parseRedundancy(fileName).isPresent() || isDescriptor(fileName);
    }

    /** Whether a file is one of redset's, a file of checksums, or a journal or a file that one moves. */
    public static boolean isOfSomeEncoding(String fileName) {
        return isOfRedset(fileName) || fileName.endsWith(EXTENSION + CHECKSUM_EXTENSION)
                || OF_COMMIT.matcher(fileName).matches();
    }

    /** The number, or -1 when it is too large for a rank. */
    private static int number(Matcher matcher, int group) {
        long number = Long.parseLong(matcher.group(group));
        return number < Integer.MAX_VALUE ? (int) number : -1;
    }
}

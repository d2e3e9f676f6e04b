package org.restorej.redset.internal.format;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of redset's files. A prefix is put before a name unchanged, so {@code out/ckpt.} and {@code out/} both refer to
 * files in the directory {@code out}.
 */
public final class RedsetFileNames {
    /** Extension of redset's files. */
    public static final String EXTENSION = ".redset";

    /** Begins the last part of the names of all temporary files: {@code <prefix><W>.restorej-}. */
    public static final String MARK = "restorej-";

    private static final String CHECKSUM_EXTENSION = ".checksums";
    /** A number without leading zeros. A zero before it belongs to the prefix. */
    private static final String NUMBER = "(0|[1-9]\\d{0,9})";
    private static final Pattern REDUNDANCY = Pattern.compile("(?s)(.*?)" + NUMBER + "\\.(single|partner|xor|rs)\\.grp_"
            + NUMBER + "_of_" + NUMBER + "\\.mem_" + NUMBER + "_of_" + NUMBER + "\\.redset");
    private static final Pattern DESCRIPTOR = Pattern.compile("(?s).*?" + NUMBER + "\\.redset");

    /** Prefix of the names of all files of a rank. */
    private static final Pattern RANK_PREFIX = Pattern.compile("(?s).*?" + NUMBER + "\\.");

    /** Names of a commit's temporary files, except locks and incomplete files. */
    private static final Pattern OF_COMMIT = Pattern
            .compile("(?s).*?" + NUMBER + "\\." + MARK + "(old\\.\\d+|staged|decided|aborted|dropped)");

    private static final Pattern RANK = Pattern.compile(NUMBER + "\\.");

    private RedsetFileNames() {}

    /**
     * The parsed name of a redundancy file. If the prefix ends with a digit, the prefix here is too short and the world
     * rank too large. Only the header has the correct values.
     *
     * @param prefix the part before the world rank
     * @param worldRank rank in the application's communicator
     * @param typeName scheme, in upper case
     * @param group id of the set, from 0
     * @param groups number of sets
     * @param rank rank in the set, from 0
     * @param ranks number of processes of the set
     */
    public record Redundancy(String prefix, int worldRank, String typeName, int group, int groups, int rank,
            int ranks) {}

    /** {@code <prefix><W>.redset}. */
    public static String descriptor(String prefix, int worldRank) {
        return prefix + worldRank + EXTENSION;
    }

    /** {@code <prefix><W>.<type>.grp_<G+1>_of_<GROUPS>.mem_<R+1>_of_<RANKS>.redset}. */
    public static String redundancy(String prefix, Descriptor descriptor) {
        // Long, since 1-based numbers may overflow an int.
        return prefix + descriptor.worldRank() + "." + descriptor.scheme().typeName().toLowerCase(Locale.ROOT) + ".grp_"
                + (descriptor.group() + 1L) + "_of_" + descriptor.groups() + ".mem_" + (descriptor.rank() + 1L) + "_of_"
                + descriptor.ranks() + EXTENSION;
    }

    /** Name of the file of checksums, ReStore-J's own, beside the redundancy file of the same rank. */
    public static String checksums(String prefix, Descriptor descriptor) {
        return redundancy(prefix, descriptor) + CHECKSUM_EXTENSION;
    }

    /** The path of the file of checksums beside a redundancy file. The file need not exist. */
    public static Path checksums(Path redundancy) {
        return redundancy.resolveSibling(redundancy.getFileName() + CHECKSUM_EXTENSION);
    }

    /** Parses the name of a redundancy file. Empty if it is no such name. */
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

    /** Whether a name is that of a descriptor file. */
    public static boolean isDescriptor(String fileName) {
        Matcher matcher = DESCRIPTOR.matcher(fileName);
        return matcher.matches() && parseRedundancy(fileName).isEmpty() && number(matcher, 1) >= 0;
    }

    /** Whether a text has the form {@code <prefix><W>.}, which begins the names of a rank's files. */
    public static boolean isRankPrefix(String text) {
        return RANK_PREFIX.matcher(text).matches();
    }

    /**
     * Whether a file protects a rank: its descriptor, or a redundancy file or file of checksums of any encoding.
     *
     * @param rankPrefix prefix of the names of its files: {@code <prefix><W>.}
     * @param fileName name without a directory
     */
    public static boolean isOfRank(String rankPrefix, String fileName) {
        if (!fileName.startsWith(rankPrefix) || !isRankPrefix(rankPrefix)) {
            return false;
        }
        // Parsed as a file of rank 0 without a prefix: trailing digits of a prefix would be taken for the rank.
        String rest = "0." + fileName.substring(rankPrefix.length());
        String redundancy = rest.endsWith(EXTENSION + CHECKSUM_EXTENSION)
                ? rest.substring(0, rest.length() - CHECKSUM_EXTENSION.length())
                : rest;
        Optional<Redundancy> parsed = parseRedundancy(redundancy);
        return rest.equals(descriptor("", 0)) || (parsed.isPresent() && parsed.get().prefix().isEmpty());
    }

    /**
     * Whether a file protects any rank or is a temporary file of a commit: a descriptor, a redundancy file, a file of
     * checksums, a journal, a file not yet in its place, or a replaced file.
     *
     * @param prefix the part before the rank
     * @param fileName name without a directory
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
     * The rank of a descriptor, redundancy file or file of checksums; empty for other files.
     *
     * @param prefix the part before the rank
     * @param fileName name without a directory
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

    /** Whether a file is redset's: a descriptor or redundancy file of any rank and prefix. */
    public static boolean isOfRedset(String fileName) {
        return parseRedundancy(fileName).isPresent() || isDescriptor(fileName);
    }

    /** Whether a file is redset's, a file of checksums, a journal, or a file that a commit moves. */
    public static boolean isOfSomeEncoding(String fileName) {
        return isOfRedset(fileName) || fileName.endsWith(EXTENSION + CHECKSUM_EXTENSION)
                || OF_COMMIT.matcher(fileName).matches();
    }

    /** The number, or -1 if it is too large for a rank. */
    private static int number(Matcher matcher, int group) {
        long number = Long.parseLong(matcher.group(group));
        return number < Integer.MAX_VALUE ? (int) number : -1;
    }
}

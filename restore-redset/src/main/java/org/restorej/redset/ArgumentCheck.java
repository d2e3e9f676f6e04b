package org.restorej.redset;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Checks the arguments of a collective call. An invalid argument on one rank is an exception on all; so are values that
 * differ between ranks but must not, because ranks would then wait for each other in different steps. Not thread-safe.
 */
final class ArgumentCheck {
    private static final long ID_LIMIT = 1_000_000_000_000_000_000L;
    /** Far below what a message may have, also with the values of all arguments. */
    private static final int MAX_VALUE_CHARS = 1 << 20;
    private static final int MAX_MISTAKE_CHARS = 1000;
    private static final String VALUES = "VALUES";

    private final RedsetChannel channel;
    private final String operation;

    ArgumentCheck(RedsetChannel channel, String operation) {
        this.channel = channel;
        this.operation = operation;
    }

    /** Throws if an id can't name a directory. Local. */
    static void requireId(long id) {
        if (!isId(id)) {
            throw new IllegalArgumentException(mistakesInId(id).getFirst());
        }
    }

    /** The reason why an id can't name a directory; empty if it can. Local. */
    static List<String> mistakesInId(long id) {
        return isId(id) ? List.of() : List.of("id must be in [0, 10^18): id=" + id);
    }

    /** The reason why a name can't be that of one directory; empty if it can. Local. */
    static List<String> mistakesInName(String name) {
        boolean isElement = !name.isEmpty() && !name.equals(".") && !name.equals("..") && name.indexOf('\0') < 0
                && name.indexOf('/') < 0 && !name.contains(File.separator);
        return isElement
                ? List.of()
                : List.of("name must be one element of a path, not empty, \".\" or \"..\": name=\""
                        + name.replace('\0', '\uFFFD') + "\"");
    }

    private static boolean isId(long id) {
        return id >= 0 && id < ID_LIMIT;
    }

    /**
     * Throws if any rank has an error, or if values differ. Called by all ranks. Two reductions compare the values
     * exactly; only if there is an error, all ranks exchange them.
     *
     * @param values that must be equal on all ranks, by name; in the same order on all ranks
     * @param mistakes errors of this rank
     * @throws IllegalArgumentException on all ranks
     */
    void require(Map<String, String> values, List<String> mistakes) {
        List<String> own = Stream.concat(mistakes.stream(), tooLong(values).stream())
                .map(mistake -> mistake.substring(0, Math.min(mistake.length(), MAX_MISTAKE_CHARS))).toList();
        Collection<String> sent = own.isEmpty() ? values.values() : List.of();
        byte[] text = KvTreeBlock.encodeMessage(KvTree.builder().putTexts(VALUES, sent).build());
        // If some ranks have an error, the lengths differ; if all have one, each knows it.
        long[] length = {own.isEmpty() ? text.length : -1};
        boolean right = channel.compute(operation,
                () -> isTheSame(length) && own.isEmpty() && isTheSame(words(text)));
        if (!right) {
            List<String> wrong = mistakes(channel.compute(operation, () -> channel.allGather(own)));
            throw refusal(wrong.isEmpty()
                    ? difference(values.keySet(), channel.compute(operation, () -> channel.allGather(sent)))
                    : String.join("; ", wrong));
        }
    }

    private static List<String> tooLong(Map<String, String> values) {
        return values.entrySet().stream().filter(value -> value.getValue().length() > MAX_VALUE_CHARS)
                .map(value -> value.getKey() + " must have at most " + MAX_VALUE_CHARS + " characters: "
                        + value.getValue().length())
                .toList();
    }

    private boolean isTheSame(long[] own) {
        long[] bounds = Arrays.copyOf(own, 2 * own.length);
        for (int i = 0; i < own.length; i++) {
            bounds[own.length + i] = ~own[i];
        }
        channel.min(bounds);
        for (int i = 0; i < own.length; i++) {
            if (bounds[i] != ~bounds[own.length + i]) {
                return false;
            }
        }
        return true;
    }

    private static long[] words(byte[] text) {
        long[] words = new long[Math.ceilDiv(text.length, Long.BYTES)];
        ByteBuffer.wrap(Arrays.copyOf(text, words.length * Long.BYTES)).asLongBuffer().get(words);
        return words;
    }

    private static List<String> mistakes(List<List<String>> told) {
        List<String> all = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            if (!told.get(rank).isEmpty()) {
                all.add("on rank " + rank + ": " + String.join(", ", told.get(rank)));
            }
        }
        return all;
    }

    /** The first value that differs; later values may follow from it. */
    private static String difference(Collection<String> names, List<List<String>> told) {
        int index = 0;
        for (String name : names) {
            SortedMap<String, List<Integer>> ranks = new TreeMap<>();
            for (int rank = 0; rank < told.size(); rank++) {
                ranks.computeIfAbsent(told.get(rank).get(index), absent -> new ArrayList<>()).add(rank);
            }
            if (ranks.size() > 1) {
                List<String> found = new ArrayList<>();
                ranks.forEach((value, those) -> found.add(value + " on ranks " + those));
                return name + " must be the same on all ranks: " + String.join(", ", found);
            }
            index++;
        }
        throw new IllegalStateException("values that differ must have a first: " + told);
    }

    /** The exception that every rank throws. */
    IllegalArgumentException refusal(String mistake) {
        return new IllegalArgumentException(operation + " refused: " + mistake);
    }
}

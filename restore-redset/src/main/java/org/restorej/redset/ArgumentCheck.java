package org.restorej.redset;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.protocol.RedsetChannel;

/** Checks the arguments of a collective call. A mistake on one rank is an exception on all. One thread. */
final class ArgumentCheck {
    private static final long ID_LIMIT = 1_000_000_000_000_000_000L;

    private final RedsetChannel channel;
    private final String operation;

    ArgumentCheck(RedsetChannel channel, String operation) {
        this.channel = channel;
        this.operation = operation;
    }

    /** Throws when an id can't name a directory. Local. */
    static void requireId(long id) {
        if (!isId(id)) {
            throw new IllegalArgumentException(idRule(id));
        }
    }

    /** Why a name can't be that of one directory; empty when it can. Local. */
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

    private static String idRule(long id) {
        return "id must be in [0, 10^18): id=" + id;
    }

    /**
     * Checks the id of a checkpoint, and throws what else is wrong. Called by all ranks.
     *
     * @param mistakes of this rank in other arguments
     * @throws IllegalArgumentException on all ranks, when some rank has made a mistake or ids differ
     */
    void requireId(long id, List<String> mistakes) {
        List<String> all = new ArrayList<>(mistakes);
        if (!isId(id)) {
            all.add(idRule(id));
        }
        List<byte[]> told = gather(id, all);
        throwMistakes(told);
        long first = ByteBuffer.wrap(told.getFirst()).getLong();
        for (int rank = 1; rank < told.size(); rank++) {
            long other = ByteBuffer.wrap(told.get(rank)).getLong();
            if (other != first) {
                throw refusal("id must be the same on all ranks: id=" + first + " on rank 0, id=" + other + " on rank "
                        + rank);
            }
        }
    }

    /** Throws what is wrong on any rank. Called by all ranks. */
    void require(List<String> mistakes) {
        throwMistakes(gather(0, mistakes));
    }

    private List<byte[]> gather(long id, List<String> mistakes) {
        byte[] text = String.join(", ", mistakes).getBytes(StandardCharsets.UTF_8);
        return channel.compute(operation,
                () -> channel.allGather(ByteBuffer.allocate(Long.BYTES + text.length).putLong(id).put(text).array()));
    }

    private void throwMistakes(List<byte[]> told) {
        List<String> all = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            byte[] bytes = told.get(rank);
            if (bytes.length > Long.BYTES) {
                all.add("on rank " + rank + ": "
                        + new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8));
            }
        }
        if (!all.isEmpty()) {
            throw refusal(String.join("; ", all));
        }
    }

    /** An exception that every rank throws, since all know the same. */
    IllegalArgumentException refusal(String mistake) {
        return new IllegalArgumentException(operation + " refused: " + mistake);
    }
}

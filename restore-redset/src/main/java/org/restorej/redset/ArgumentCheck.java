package org.restorej.redset;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;
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
        List<Told> told = gather(id, all);
        throwMistakes(told);
        long first = told.getFirst().id();
        for (int rank = 1; rank < told.size(); rank++) {
            long other = told.get(rank).id();
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

    /** What a rank tells of its arguments. */
    private record Told(long id, List<String> mistakes) {}

    private List<Told> gather(long id, List<String> mistakes) {
        KvTree mine = KvTree.builder().put("ID", id).putTexts("MISTAKES", mistakes).build();
        return channel.compute(operation, () -> {
            List<Told> told = new ArrayList<>();
            for (KvTree each : channel.allGather(mine)) {
                TreeFields fields = new TreeFields("arguments", each);
                told.add(new Told(fields.number("ID", Long.MIN_VALUE, Long.MAX_VALUE), fields.texts("MISTAKES")));
            }
            return told;
        });
    }

    private void throwMistakes(List<Told> told) {
        List<String> all = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            if (!told.get(rank).mistakes().isEmpty()) {
                all.add("on rank " + rank + ": " + String.join(", ", told.get(rank).mistakes()));
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

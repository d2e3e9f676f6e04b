package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * The folders of checkpoints that ranks can't list, because of permissions or a disk that fails. What such a folder has
 * counts as lost to its rank, so that the other ranks can rebuild it or do without; but no checkpoint counts as absent
 * or lost for good because of it. Not thread-safe.
 */
final class UnreadableFolders {
    private static final System.Logger LOG = System.getLogger(UnreadableFolders.class.getName());
    private static final int MAX_SHOWN = 4;

    private final RedsetChannel channel;
    /** Ranks and stores that were logged. */
    private final Set<String> logged = new HashSet<>();

    /** None is known yet; the channel stays the caller's. */
    UnreadableFolders(RedsetChannel channel) {
        this.channel = channel;
    }

    /**
     * Tells all ranks which folders can't be listed. The first of a rank and a store is logged. Called by all ranks if
     * any rank has such a folder.
     *
     * @param own by store, the reason why this rank can't list a folder in it
     * @return the reasons of all ranks that have such a folder, by rank; the same on all
     */
    SortedMap<Integer, String> tell(String operation, Map<Path, String> own) {
        List<String> mine = new ArrayList<>();
        own.forEach((store, reason) -> mine.addAll(List.of(store.toString(), reason)));
        List<List<String>> told = channel.compute(operation, () -> channel.allGather(mine));
        SortedMap<Integer, String> all = new TreeMap<>();
        List<String> fresh = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            for (int i = 0; i < told.get(rank).size(); i += 2) {
                String reason = told.get(rank).get(i + 1);
                all.merge(rank, reason, (one, other) -> one + "; " + other);
                if (logged.add(rank + " " + told.get(rank).get(i))) {
                    fresh.add(ofRank(rank, reason));
                }
            }
        }
        if (channel.rank() == 0 && !fresh.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "checkpoints in folders that can''t be read count as lost there: {0}",
                    shortened(fresh));
        }
        return all;
    }

    /** A message with the reasons of {@link #tell}. */
    static String describe(SortedMap<Integer, String> byRank) {
        return shortened(byRank.entrySet().stream().map(each -> ofRank(each.getKey(), each.getValue())).toList());
    }

    private static String ofRank(int rank, String reason) {
        return "rank " + rank + ": " + reason;
    }

    /** Thousands of ranks may have the same reason. */
    private static String shortened(List<String> texts) {
        return texts.size() <= MAX_SHOWN
                ? String.join("; ", texts)
                : String.join("; ", texts.subList(0, MAX_SHOWN)) + "; and " + (texts.size() - MAX_SHOWN) + " more";
    }
}

package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
     * @return a message with the folders of all ranks, the same on all
     */
    String tell(String operation, Map<Path, String> own) {
        List<String> mine = new ArrayList<>();
        own.forEach((store, reason) -> mine.addAll(List.of(store.toString(), reason)));
        List<List<String>> told = channel.compute(operation, () -> channel.allGather(mine));
        List<String> all = new ArrayList<>();
        List<String> fresh = new ArrayList<>();
        for (int rank = 0; rank < told.size(); rank++) {
            for (int i = 0; i < told.get(rank).size(); i += 2) {
                String text = "rank " + rank + ": " + told.get(rank).get(i + 1);
                all.add(text);
                if (logged.add(rank + " " + told.get(rank).get(i))) {
                    fresh.add(text);
                }
            }
        }
        if (channel.rank() == 0 && !fresh.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "checkpoints in folders that can''t be read count as lost there: {0}",
                    shortened(fresh));
        }
        return shortened(all);
    }

    /** Thousands of ranks may have the same reason. */
    private static String shortened(List<String> texts) {
        return texts.size() <= MAX_SHOWN
                ? String.join("; ", texts)
                : String.join("; ", texts.subList(0, MAX_SHOWN)) + "; and " + (texts.size() - MAX_SHOWN) + " more";
    }
}

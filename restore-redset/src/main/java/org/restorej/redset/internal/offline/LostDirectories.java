package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of lost members go, as somebody has said, where that doesn't follow from what is there.
 *
 * @param ofTheOne of the only member that is lost, or null
 * @param byWorldRank of others, by their ranks in the job
 */
public record LostDirectories(@Nullable Path ofTheOne, Map<Integer, Path> byWorldRank) {
    /** Nobody has said anything. */
    public static final LostDirectories UNSAID = new LostDirectories(null, Map.of());

    /** Copies the map. */
    public LostDirectories {
        byWorldRank = Map.copyOf(byWorldRank);
    }

    /** All of the directories. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>(byWorldRank.values());
        if (ofTheOne != null) {
            all.add(ofTheOne);
        }
        return all;
    }

    /** The directory of a lost member, or null when nobody has said. */
    @Nullable
    Path of(int worldRank) {
        return byWorldRank.isEmpty() ? ofTheOne : byWorldRank.get(worldRank);
    }
}

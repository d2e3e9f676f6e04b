package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where somebody wants the files of lost members of SCR's sets.
 *
 * @param ofTheOne of the only member that is lost, or null
 * @param byWorldRank of others, by their ranks in the job
 */
public record LostDirectories(@Nullable Path ofTheOne, Map<Integer, Path> byWorldRank) {
    /** Nobody said it. */
    public static final LostDirectories UNSAID = new LostDirectories(null, Map.of());

    /** Copies the map. */
    public LostDirectories {
        byWorldRank = Map.copyOf(byWorldRank);
    }

    /** All of them. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>(byWorldRank.values());
        if (ofTheOne != null) {
            all.add(ofTheOne);
        }
        return all;
    }
}

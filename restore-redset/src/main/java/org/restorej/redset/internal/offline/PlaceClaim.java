package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord;

/**
 * What one file says of the places of ranks.
 *
 * @param path the file
 * @param own the place of the rank whose file it is
 * @param places all places that it tells of, its own among them
 * @param isDescriptor whether it is the rank's one descriptor file, which every encoding replaces, and not one of
 *        possibly many redundancy files
 */
record PlaceClaim(Path path, Descriptor own, List<Descriptor> places, boolean isDescriptor) {
    static PlaceClaim of(DirectoryScan.FoundDescriptor found) {
        return new PlaceClaim(found.path(), found.own(), found.places(), true);
    }

    static PlaceClaim of(DirectoryScan.FoundHeader found) {
        Descriptor own = found.header().own().descriptor();
        List<Descriptor> places = new ArrayList<>(
                found.header().byRank().values().stream().map(RankRecord::descriptor).toList());
        List<Integer> worldRanks = found.header().worldRanks();
        for (int rank = 0; rank < worldRanks.size(); rank++) {
            places.add(own.ofMember(rank, worldRanks.get(rank)));
        }
        return new PlaceClaim(found.path(), own, places, false);
    }

    String fileName() {
        return String.valueOf(path.getFileName());
    }

    /** The encoding that it is of, for people. */
    String encoding() {
        return own.scheme() + ", " + own.worldRanks() + (own.worldRanks() == 1 ? " rank in " : " ranks in ")
                + own.groups() + (own.groups() == 1 ? " set" : " sets");
    }
}

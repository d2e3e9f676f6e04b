package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * Where the files of a set of SCR lie, and where those of a lost member go.
 *
 * @param found the set
 * @param format its members
 * @param homes where lost members go
 * @param policy where files may be
 */
record ScrPlaces(ScrScan.FoundSet found, ScrFormat format, ScrHomes homes, PathPolicy policy) {
    /**
     * The places of all members, by rank.
     *
     * @throws IOException when it can't be told where something is or goes, or two things would go to one place
     */
    List<MemberLocation> locate() throws IOException {
        ScrFolder.Layout layout = layout();
        List<MemberLocation> locations = new ArrayList<>();
        for (int rank = 0; rank < format.set().ranks(); rank++) {
            ScrScan.FoundFile file = found.files().get(rank);
            Path folder = file == null ? homes.of(found, format, layout, rank) : file.directory();
            List<Path> files = new ArrayList<>();
            for (ScrFile data : format.member(rank).files()) {
                files.add(allowed(layout.place(folder, data, policy)));
            }
            String name = found.any().header().name().ofMember(rank).toString();
            locations.add(new MemberLocation(file == null ? folder.resolve(name) : file.path(), Optional.empty(),
                    files));
        }
        ScrTargets.requireDistinct(locations);
        return locations;
    }

    /** The one in which most of the files are there that members with an XOR file have. */
    private ScrFolder.Layout layout() {
        ScrFolder.Layout best = ScrFolder.Layout.CACHE;
        int most = 0;
        for (ScrFolder.Layout layout : ScrFolder.Layout.values()) {
            int there = 0;
            for (ScrScan.FoundFile file : found.files().values()) {
                for (ScrFile data : file.header().current().files()) {
                    there += layout.isThere(file.directory(), data, policy) ? 1 : 0;
                }
            }
            if (there > most) {
                most = there;
                best = layout;
            }
        }
        return best;
    }

    /** Refuses links that lead out. */
    private Path allowed(Path path) throws IOException {
        new PathPolicy(policy.base(), policy.allowed(), policy.anywhere(), Map.of())
                .resolve(FilePaths.nameOf(path.toAbsolutePath()));
        return path;
    }
}

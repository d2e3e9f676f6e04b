package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.offline.DirectoryScan;

/** The files of redundancy sets that one process sees in some directories. Local, reads headers only. */
public final class MemberFiles {
    private final List<DirectoryScan.FoundHeader> headers;

    private MemberFiles(List<DirectoryScan.FoundHeader> headers) {
        this.headers = headers;
    }

    /** What there is; directories that this process doesn't see have nothing. */
    public static MemberFiles in(FileOperations operations, Collection<Path> directories) {
        return new MemberFiles(directories.stream()
                .flatMap(directory -> Encodings.headersIn(operations, directory).stream()).toList());
    }

    /** Names of the sets that one of these ranks is in, as far as can be told from here. */
    public Set<String> setsOf(BitSet worldRanks) {
        Set<String> sets = new TreeSet<>();
        for (DirectoryScan.FoundHeader found : headers) {
            if (ranksIn(found.header()).anyMatch(worldRanks::get)) {
                sets.add(setOf(found));
            }
        }
        return sets;
    }

    private static Stream<Integer> ranksIn(RedundancyHeader header) {
        return Stream.concat(header.worldRanks().stream(),
                header.byRank().values().stream().map(RankRecord::descriptor).map(place -> place.worldRank()));
    }

    private static String setOf(DirectoryScan.FoundHeader found) {
        return found.header().own().descriptor().setName();
    }

    /** All files of some sets: redundancy, checksums, and data that lie beside it, with their sizes. */
    public Map<Path, Long> ofSet(String set) throws IOException {
        Map<Path, Long> files = new TreeMap<>();
        for (DirectoryScan.FoundHeader found : headers) {
            if (setOf(found).equals(set)) {
                for (Path file : filesOf(found)) {
                    files.put(file, Files.size(file));
                }
            }
        }
        return files;
    }

    private static List<Path> filesOf(DirectoryScan.FoundHeader found) {
        return Stream.concat(Stream.of(found.path(), LostMembers.checksumsOf(found.path())),
                found.header().own().files().stream().map(file -> beside(found.path(), file)))
                .filter(Files::isRegularFile).toList();
    }

    /** Where a data file is if it lies beside its member's redundancy file, as those with blocks do. */
    static Path beside(Path redundancy, FileRecord file) {
        return redundancy.resolveSibling(Objects.requireNonNull(FilePaths.of(file.name()).getFileName()));
    }
}

package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.Descriptor;

/** Which members in the directories of several nodes form a set. */
class SpreadSetsTest {
    private static final int RANKS = 4;

    @TempDir
    private Path temporary = Path.of("");

    @Test
    void membersWhoseCheckpointCanNotBeToldAreNotJoined() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "partner_p4_r2");
        List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            parts.addAll(
                    DirectoryContent.of(DirectoryScan.of(FileOperations.system(), job.node(rank))).sets());
        }
        assertEquals(List.of(4), sizes(SpreadSets.joined(parts)));
        assertEquals(List.of(2), sizes(SpreadSets.joined(List.of(parts.get(0), parts.get(3)))));
        List<DirectoryContent.FoundSet> twice = SpreadSets.joined(
                List.of(parts.get(0), parts.get(1), copyOf(parts.get(1))));
        assertEquals(List.of(1, 1, 1), sizes(twice));
        assertTrue(twice.stream().allMatch(set -> set.doubt().contains("aren't joined")), twice::toString);
    }

    @Test
    void setsOfWhichOnlyTheLostNodesHadFilesAreAbsent() throws IOException {
        NodesOfVector job = NodesOfVector.of(temporary, "xor_p4");
        List<DirectoryContent.FoundSet> parts = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            DirectoryContent.FoundSet part = DirectoryContent
                    .of(DirectoryScan.of(FileOperations.system(), job.node(rank))).sets().getFirst();
            // As if there were two sets of two.
            parts.add(new DirectoryContent.FoundSet(part.prefix(),
                    new Descriptor(part.place().scheme(), rank / 2, 2, rank % 2, 2, rank, RANKS), part.headers(), ""));
        }
        assertEquals(List.of(), SpreadSets.absent(SpreadSets.joined(parts), Map.of()));
        assertEquals(List.of(), SpreadSets.absent(SpreadSets.joined(parts.subList(1, 4)), Map.of()),
                "one is left of set 1");
        assertEquals(
                List.of(new OfflineRedset.Problem("ckpt.* of 4 ranks in 2 sets: there are files of sets [2] only, of 2",
                        false)),
                SpreadSets.absent(SpreadSets.joined(parts.subList(2, 4)), Map.of()));
    }

    private static List<Integer> sizes(List<DirectoryContent.FoundSet> sets) {
        return sets.stream().map(set -> set.headers().size()).toList();
    }

    /** The same in another directory. */
    private static DirectoryContent.FoundSet copyOf(DirectoryContent.FoundSet set) {
        Map<Integer, DirectoryScan.FoundHeader> headers = new TreeMap<>();
        set.headers().forEach((rank, header) -> headers.put(rank, new DirectoryScan.FoundHeader("copy/ckpt.",
                Path.of("copy").resolve(header.path().getFileName()), header.found())));
        return new DirectoryContent.FoundSet("copy/ckpt.", set.place(), headers, "");
    }
}

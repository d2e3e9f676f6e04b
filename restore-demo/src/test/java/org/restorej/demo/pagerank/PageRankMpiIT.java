package org.restorej.demo.pagerank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.demo.MpiDrill;
import org.restorej.testing.Depth;

/** PageRank on ranks under mpirun has the published ranks of a known graph. */
class PageRankMpiIT {
    /** The other one than of k-means, which is a drill of the same kind. */
    private static final List<List<String>> TURNS = List.of(
            List.of("hasThePublishedRanksWhenProcessesAreKilled", "hasThePublishedRanksWhenRanksFail"));

    @BeforeEach
    void takesTurns(TestInfo test) {
        Depth.takeTurns(test, TURNS, "restorej.kills.seed");
    }

    @TempDir
    private Path folder = Path.of("");

    private void hasThePublishedRanks(MpiFlavour flavour, String failures) throws IOException {
        Path graph = Files.writeString(folder.resolve("graph"), KnownGraph.TEXT);
        Path ranks = folder.resolve("ranks");
        MpiDrill.json(flavour, 4, 1,
                "pagerank --iterations 260 --graph " + graph + " --ranks " + ranks + " " + failures);
        for (String line : Files.readAllLines(ranks)) {
            String[] words = line.split("\t", -1);
            assertEquals(KnownGraph.rank(words[0]), Double.parseDouble(words[1]), 1e-15, line);
        }
    }

    @Test
    void hasThePublishedRanksWhenRanksFail() throws IOException {
        hasThePublishedRanks(MpiFlavour.OPEN_MPI, "--fail 0@2,3@100");
    }

    @Test
    void hasThePublishedRanksWhenProcessesAreKilled() throws IOException {
        hasThePublishedRanks(MpiFlavour.ULFM, "--kill 0@2,3@100");
    }
}

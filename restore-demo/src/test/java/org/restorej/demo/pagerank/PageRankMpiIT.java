package org.restorej.demo.pagerank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.demo.MpiDrill;
import org.restorej.testing.Deep;

/** PageRank on ranks under mpirun has the published ranks of a known graph. */
@Deep
class PageRankMpiIT {
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

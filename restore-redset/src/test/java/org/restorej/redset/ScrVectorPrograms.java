package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.internal.files.DirectoryEntries;

/** Recovery of files that releases of SCR wrote to the caches of four nodes or of six, a rank on each. */
public final class ScrVectorPrograms implements ContractSuite {
    /** Programs that make sense at the sizes of the vectors, 4 and 6, only. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("rebuilds the cache of each node as SCR itself wrote it", 4,
                    world -> forEachVector(world, ScrVectorPrograms::rebuildsEachNode)),
            new ContractProgram("rebuilds each file of a node as SCR itself wrote it", 4,
                    world -> forEachVector(world, ScrVectorPrograms::rebuildsEachFile)),
            new ContractProgram("rebuilds a node of each set of SCR's at once", 6,
                    world -> forEachVector(world, ScrVectorPrograms::rebuildsOneOfEachSet)));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private interface Body {
        void run(Communicator world, ScrVectors vectors) throws IOException;
    }

    /** Each rank has a copy of all files, and works on those of its node only. */
    private static void forEachVector(Communicator world, Body body) {
        int run = 0;
        for (String name : ScrVectors.OF_NODES) {
            try (RankDirectory directory = new RankDirectory()) {
                ScrVectors vectors = ScrVectors.copy(name, directory.path().resolve("copy"));
                if (vectors.nodes().size() == world.size()) {
                    body.run(world, vectors);
                    run++;
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        equal(world.size() == 4 ? 2 : 1, run, "cases of as many ranks");
    }

    private static void recovers(Communicator world, ScrVectors vectors, Set<Integer> lost, String when)
            throws IOException {
        Path directory = vectors.nodes().get(world.rank());
        try (Redset redset = Redset.builder(world).directory(directory).pieceBytes(300).build()) {
            equal(lost, redset.recover().rebuiltRanks(), "rebuilt ranks " + when);
            equal(List.of(), vectors.differences(), "files that differ " + when);
            equal(Set.of(), redset.recover().rebuiltRanks(), "rebuilt ranks when nothing is lost");
        }
    }

    private static void rebuildsEachNode(Communicator world, ScrVectors vectors) throws IOException {
        recovers(world, vectors, Set.of(), "of a whole job");
        for (int lost = 0; lost < world.size(); lost++) {
            loseNode(world, vectors, lost);
            recovers(world, vectors, Set.of(lost), "after the loss of " + lost);
        }
    }

    private static void rebuildsOneOfEachSet(Communicator world, ScrVectors vectors) throws IOException {
        loseNode(world, vectors, 0);
        loseNode(world, vectors, 5);
        recovers(world, vectors, Set.of(0, 5), "after the loss of two");
    }

    private static void loseNode(Communicator world, ScrVectors vectors, int lost) throws IOException {
        if (world.rank() == lost) {
            DirectoryEntries.deleteTree(vectors.nodes().get(lost));
        }
    }

    private static void rebuildsEachFile(Communicator world, ScrVectors vectors) throws IOException {
        for (int lost = 0; lost < world.size(); lost++) {
            int files = vectors.data(lost).size();
            for (int file : IntStream.rangeClosed(0, files).toArray()) {
                if (world.rank() == lost) {
                    Files.delete(file == files ? vectors.xor(lost) : vectors.data(lost).get(file));
                }
                recovers(world, vectors, Set.of(lost), "after the loss of file " + file + " of " + lost);
            }
        }
    }
}

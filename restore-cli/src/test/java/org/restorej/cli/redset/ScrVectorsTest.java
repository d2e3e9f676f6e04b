package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.FileDamage;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.internal.files.DirectoryEntries;

/** Sets that real SCR wrote, in its own layouts and under its own names. */
class ScrVectorsTest {
    @TempDir
    Path temporary;

    static List<String> casesOfNodes() {
        return ScrVectors.OF_NODES;
    }

    private ScrVectors vectors(String name) throws IOException {
        return ScrVectors.copy(name, temporary.resolve(name));
    }

    private static ProgramRun run(String command, List<Path> directories, Object... more) {
        List<Object> all = new ArrayList<>(List.of(command));
        all.addAll(directories);
        all.addAll(List.of(more));
        return RedsetRun.of(all.toArray());
    }

    private static void assertRebuilds(ScrVectors vectors, List<Path> directories, String when, Object... more)
            throws IOException {
        run("rebuild", directories, more).assertExit(RedsetCommand.REPAIRABLE, when);
        assertEquals(List.of(), vectors.differences(), when);
    }

    @ParameterizedTest
    @MethodSource("casesOfNodes")
    void rebuildsEachNodeThatIsLostToItsEmptyFolder(String name) throws IOException {
        ScrVectors vectors = vectors(name);
        run("verify", vectors.nodes()).assertExit(RedsetCommand.WHOLE);
        for (int node = 0; node < vectors.nodes().size(); node++) {
            vectors.lose(node);
            assertFalse(vectors.differences().isEmpty());
            assertRebuilds(vectors, vectors.nodes(), "node " + node);
            run("verify", vectors.nodes()).assertExit(RedsetCommand.WHOLE);
        }
    }

    @ParameterizedTest
    @MethodSource("casesOfNodes")
    void findsTheNodeOfALostXorFileByItsDataBesideEmptyFolders(String name) throws IOException {
        ScrVectors vectors = vectors(name);
        List<Path> directories = new ArrayList<>(vectors.nodes());
        directories.addFirst(Files.createDirectory(temporary.resolve("empty1")));
        directories.add(Files.createDirectory(temporary.resolve("empty2")));
        int withData = 0;
        for (int node = 0; node < vectors.nodes().size(); node++) {
            if (!vectors.data(node).isEmpty()) {
                withData++;
                Files.delete(vectors.xor(node));
                assertRebuilds(vectors, directories, "node " + node);
            }
        }
        assertTrue(withData >= 4, name);
    }

    @ParameterizedTest
    @MethodSource("casesOfNodes")
    void rebuildsEachDataFileThatIsLost(String name) throws IOException {
        ScrVectors vectors = vectors(name);
        for (int node = 0; node < vectors.nodes().size(); node++) {
            for (Path file : vectors.data(node)) {
                Files.delete(file);
                assertRebuilds(vectors, vectors.nodes(), file.toString());
            }
        }
    }

    @Test
    void rebuildsSetsThatAreGivenOneAtATime() throws IOException {
        ScrVectors vectors = vectors("v122-crc-2sets");
        List<Path> first = vectors.nodes().subList(0, 3);
        run("info", first).assertExit(RedsetCommand.WHOLE).assertSays("XOR files of the sets of 3 ranks only, of 6; "
                + "those of the others are in directories not given");
        vectors.lose(1);
        vectors.lose(3);
        run("rebuild", first).assertExit(RedsetCommand.REPAIRABLE);
        assertRebuilds(vectors, vectors.nodes().subList(3, 6), "second set");
    }

    @Test
    void asksForTheNodeOfEachLostMemberWhenSetsHaveLostSeveral() throws IOException {
        ScrVectors vectors = vectors("v122-crc-2sets");
        List<Path> left = List.of(vectors.nodes().get(0), vectors.nodes().get(2), vectors.nodes().get(3),
                vectors.nodes().get(5));
        vectors.lose(1);
        vectors.lose(4);
        List<String> lost = vectors.differences();
        run("rebuild", vectors.nodes()).assertExit(RedsetCommand.USAGE)
                .assertSays("where xor.0_2_of_3.scr and its data files go isn't known", "--lost 1=DIR");
        run("rebuild", left, "--lost", vectors.nodes().get(1)).assertExit(RedsetCommand.USAGE)
                .assertSays("--lost must say for each lost member where it belongs", "--lost 4=DIR");
        run("rebuild", left, "--lost", "1=" + vectors.nodes().get(1), "--lost", "6=" + vectors.nodes().get(4))
                .assertExit(RedsetCommand.USAGE)
                .assertSays("--lost must name a rank of the sets that were found, which "
                        + "have 6 in [0, 5]: --lost=6=" + vectors.nodes().get(4));
        assertEquals(lost, vectors.differences(), "nothing was rebuilt");
        run("rebuild", left, "--lost", "1=" + vectors.nodes().get(1), "--lost", vectors.nodes().get(4))
                .assertExit(RedsetCommand.USAGE).assertSays("--lost must have a rank each time or never");
        run("rebuild", left, "--lost", "1=" + temporary.resolve("nowhere")).assertExit(RedsetCommand.USAGE)
                .assertSays("--lost must be a directory");
        assertRebuilds(vectors, left, "named", "--lost", "1=" + vectors.nodes().get(1), "--lost",
                "4=" + vectors.nodes().get(4));
    }

    @Test
    void putsOnlyOneLostMemberIntoTheOnlyEmptyFolder() throws IOException {
        ScrVectors vectors = vectors("v122-crc-2sets");
        vectors.lose(1);
        vectors.lose(4);
        List<Path> directories = new ArrayList<>(vectors.nodes());
        directories.remove(4);
        run("rebuild", directories).assertExit(RedsetCommand.USAGE).assertSays("and its data files go isn't known");
        assertTrue(DirectoryEntries.of(vectors.nodes().get(1)).isEmpty());
    }

    @Test
    void hidesTheXorFileInTheFolderThatIsNamedForALostMember() throws IOException {
        ScrVectors vectors = vectors("v122-xor4");
        vectors.lose(2);
        List<Path> left = new ArrayList<>(vectors.nodes());
        Path lost = left.remove(2);
        assertRebuilds(vectors, left, "--lost", "--lost", lost);
        run("rebuild", left, "--lost", lost).assertExit(RedsetCommand.WHOLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".scr", ".scr/scr.dataset.1"})
    void rebuildsWhatWasScavengedWhicheverFolderOfItIsGiven(String given) throws IOException {
        ScrVectors vectors = vectors("v122-scavenged");
        Path prefix = vectors.copy().resolve("prefix");
        List<Path> directory = List.of(prefix.resolve(given).normalize());
        String map = "/scratch/ab/v122-scavenged/prefix=" + prefix;
        run("verify", directory, "--map", map).assertExit(RedsetCommand.WHOLE);
        for (int rank = 0; rank < 4; rank++) {
            DirectoryEntries.deleteTree(prefix.resolve("rank" + rank));
            assertRebuilds(vectors, directory, "data of rank " + rank, "--map", map);
            DirectoryEntries.deleteTree(prefix.resolve("rank" + rank));
            Files.delete(prefix.resolve(".scr/scr.dataset.1/xor.0_" + (rank + 1) + "_of_4.scr"));
            assertRebuilds(vectors, directory, "rank " + rank, "--map", map);
        }
    }

    @Test
    void rebuildsAnXorFileThatCrcsOfAllDataProveWrong() throws IOException {
        ScrVectors vectors = vectors("v122-crc-2sets");
        for (int node = 0; node < 6; node++) {
            FileDamage.flip(vectors.xor(node), (int) Files.size(vectors.xor(node)) - 1);
            run("verify", vectors.nodes()).assertExit(RedsetCommand.REPAIRABLE)
                    .assertSays(vectors.xor(node) + " disagrees with data files whose CRCs are right");
            assertRebuilds(vectors, vectors.nodes(), "node " + node);
        }
    }

    @Test
    void callsASetLostWhoseRebuiltFileHasAnotherCrc() throws IOException {
        ScrVectors vectors = vectors("v122-crc-2sets");
        vectors.lose(1);
        // The last chunk byte that belongs to a file of rank 1, in the row of rank 0.
        Path xor = vectors.xor(0);
        FileDamage.flip(xor, (int) Files.size(xor) - 1863);
        List<String> before = vectors.differences();
        run("rebuild", vectors.nodes()).assertExit(RedsetCommand.LOST)
                .assertSays("rank 1 was rebuilt with wrong content of its file x1.0, by its checksum");
        assertEquals(before, vectors.differences(), "nothing was replaced");
    }
}

package org.restorej.demo.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeFailedException;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/** The examples come to what one thread without any library comes to, bit by bit, whoever fails at whatever call. */
class ExamplesTest {
    private static final long SEED = Seed.of(ExamplesTest.class);

    /** Every day a PE fails at one of so many calls, in a deep run at each. */
    private static final int CHOSEN = 61;

    private static final int PES = 3;

    @ParameterizedTest
    @EnumSource
    void onAnyNumberOfPesTheResultIsThatOfOneThread(Example example) {
        for (int pes : List.of(1, 2, 5, 8)) {
            for (Object result : LocalCluster.run(pes, example::run)) {
                assertEquals(example.expected(), result, pes + " PEs");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoeverFailsTheResultIsThatOfOneThread(Example example) {
        crash(example, CHOSEN);
    }

    @Deep
    @ParameterizedTest
    @EnumSource
    void whoeverFailsWhereTheResultIsThatOfOneThread(Example example) {
        crash(example, 1);
    }

    private static void crash(Example example, int oneIn) {
        long memoryBefore = NativeMemory.openBytes();
        FailureAtEveryCall.of(PES, LocalCluster.restarting(example::run)).seed(SEED).everyNth(oneIn).secondFailures(3)
                .expecting(example.expected()).run();
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    @Test
    void thePlateIsAQuarterAsWarmInItsMiddle() {
        String output = outputOf((world, out) -> Heat.run(world, 50, 1e-5, out));
        assertTrue(output.startsWith("=*#%%%@@@"), output);
        assertTrue(output.endsWith("\n25.00 degrees in the middle"), output);
    }

    @Test
    void birdsComeToFlyAlikeAndKeepTheirMeanVelocity() {
        assertEquals("after 0 iterations: 180 birds, dx 0.003629 in the mean, 0.013929 around it",
                outputOf((world, out) -> Flock.run(world, -1, 0, out)));
        assertEquals("after 200 iterations: 180 birds, dx 0.003629 in the mean, 0.000165 around it",
                outputOf((world, out) -> Flock.run(world, 20, 200, out)));
    }

    @Test
    void allWordsOfAllReadsAreCounted() {
        assertEquals("5520 words, 1023 different ones, most often CGTTA=14",
                outputOf((world, out) -> Kmers.run(world, 7, out)));
    }

    @Test
    void clustersHaveAllPoints() {
        String output = outputOf((world, out) -> KMeans.run(world, Optional.empty(), 3, 20, out));
        assertTrue(output.matches("clusters of \\[\\d+(, \\d+){4}\\] points, inertia \\d+\\.\\d{4}"), output);
        assertEquals(KMeans.POINTS, Pattern.compile("\\d+(?=[,\\]])").matcher(output).results()
                .mapToInt(match -> Integer.parseInt(match.group())).sum());
    }

    /** The ranks that are given with the picture of the graph, in whole numbers. */
    @Test
    void verticesHaveThePublishedRanks() {
        PageRank.Graph graph = PageRank.Graph.of(PageRank.WIKIPEDIA);
        assertEquals("B 0.384401, C 0.342910, E 0.080886",
                outputOf((world, out) -> PageRank.run(world, graph, Optional.empty(), 20, 260, out)));
        for (double[] ranks : LocalCluster.run(3,
                world -> PageRank.run(world, graph, Optional.empty(), -1, 260, text -> {}))) {
            assertEquals(222_822_800 / 579_662_461.0, ranks[0], 1e-15);
        }
    }

    /** No PE fails in iteration 3, which isn't done again. */
    @Test
    void anotherJobGoesOnFromFilesOnAnyNumberOfPesWithTheSameBits(@TempDir Path folder) {
        Optional<Path> files = Optional.of(folder);
        LocalCluster.run(4, world -> KMeans.run(world, files, -1, 10, text -> {}));
        List<double[]> centres = LocalCluster.run(3, world -> KMeans.run(world, files, 3, 20, text -> {}));
        assertEquals(3, centres.size());
        centres.forEach(result -> assertArrayEquals(Sequential.kMeans(20), result));
        PageRank.Graph graph = PageRank.Graph.of(PageRank.WIKIPEDIA);
        LocalCluster.run(2, world -> PageRank.run(world, graph, files, -1, 10, text -> {}));
        List<double[]> ranks = LocalCluster.run(5, world -> PageRank.run(world, graph, files, 3, 20, text -> {}));
        assertEquals(5, ranks.size());
        ranks.forEach(result -> assertArrayEquals(Sequential.pageRank(20), result));
        PageRank.Graph other = PageRank.Graph.of(PageRank.WIKIPEDIA.reversed());
        PeFailedException refused = assertThrows(PeFailedException.class,
                () -> LocalCluster.run(2, world -> PageRank.run(world, other, files, -1, 20, text -> {})));
        assertSays(Objects.requireNonNull(refused.getCause()), "is of another program", graph.digest(), other.digest());
    }

    @Test
    void edgesAreReadWithCommentsBlanksAndAByteOrderMark() {
        PageRank.Graph graph = PageRank.Graph.of(List.of("\uFEFFb a", "# from to", "% x", "", "  a \t b ", "b 7"));
        assertEquals(List.of("b", "a", "7"), graph.names());
        assertArrayEquals(new int[]{0, 1, 1, 0, 0, 2}, graph.ends());
        assertEquals("an edge must be two names of vertices: 'a b 0.5'", assertThrows(IllegalArgumentException.class,
                () -> PageRank.Graph.of(List.of("a b 0.5"))).getMessage());
    }

    /** What the PEs say together: once, although one of them fails. */
    private static String outputOf(BiConsumer<Communicator, Consumer<String>> example) {
        Queue<String> output = new ConcurrentLinkedQueue<>();
        LocalCluster.run(4, world -> {
            example.accept(world, output::add);
            return 0;
        });
        return String.join("; ", output);
    }
}

package org.restorej.demo.pagerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.LUDecomposition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.demo.run.DrillOutcome;
import org.restorej.demo.run.Drills;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.testing.SeededLaw;

class PageRankTest {
    /** After so many, 0.85 to their power is below the last bit of a double. */
    private static final int CONVERGED = 260;

    private static Function<Communicator, PeTask<DrillOutcome<Ranks>>> task(Graph graph, double damping,
            int iterations, int replication, String failures) {
        PageRankSettings settings = new PageRankSettings(graph, damping, iterations, Redundancy.copies(replication),
                Drills.failures(failures));
        return world -> new PageRank(world, settings, Progress.SILENT);
    }

    /** The ranks as the solution of linear equations, by a library, without iterating. */
    private static double[] solved(Graph graph, double damping) {
        int vertices = graph.vertexCount();
        int[] edges = graph.edges(BlockRanges.of(0, graph.edgeCount()));
        int[] degrees = new int[vertices];
        for (int edge = 0; edge < edges.length; edge += 2) {
            degrees[edges[edge]]++;
        }
        double[][] matrix = new double[vertices][vertices];
        for (int edge = 0; edge < edges.length; edge += 2) {
            matrix[edges[edge + 1]][edges[edge]] -= damping / degrees[edges[edge]];
        }
        for (int row = 0; row < vertices; row++) {
            for (int column = 0; column < vertices; column++) {
                matrix[row][column] += (row == column ? 1 : 0) - (degrees[column] == 0 ? damping / vertices : 0);
            }
        }
        double[] right = new double[vertices];
        Arrays.fill(right, (1 - damping) / vertices);
        return new LUDecomposition(new Array2DRowRealMatrix(matrix, false)).getSolver()
                .solve(new ArrayRealVector(right, false)).toArray();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, ''", "3, 3, '0@1,2@7'", "8, 3, ''", "8, 3, '2@2,6@30'", "8, 3, '0@1,7@1,3@2,4@200'"})
    void hasThePublishedRanksOfAKnownGraphWhoeverFails(int pes, int replication, String failures) {
        EdgeList graph = KnownGraph.graph();
        Ranks ranks = Drills.survived(pes, failures, task(graph, 0.85, CONVERGED, replication, failures));
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            assertEquals(KnownGraph.rank(graph.name(vertex)), ranks.values()[vertex], 1e-15, graph.name(vertex));
        }
        assertEquals(List.of("B", "C", "E"), ranks.top(3).stream().map(graph::name).toList());
        assertTrue(ranks.change() < 1e-15, () -> "change " + ranks.change());
    }

    @Test
    void hasTheRanksThatLinearEquationsHave() {
        SeededLaw.holds(20, random -> {
            EdgeList graph = randomGraph(random);
            double damping = random.nextDouble(0.1, 0.86);
            Ranks ranks = Drills.survived(3, "1@4", task(graph, damping, CONVERGED, 2, "1@4"));
            assertArrayEquals(solved(graph, damping), ranks.values(), 1e-14);
            assertEquals(1, Arrays.stream(ranks.values()).sum(), 1e-13);
        });
    }

    /** With loops, edges that are there twice, and vertices without outgoing edges. */
    private static EdgeList randomGraph(Random random) {
        int vertices = 1 + random.nextInt(30);
        return EdgeList.parse(new InputText("random", IntStream.range(0, 1 + random.nextInt(100))
                .mapToObj(edge -> random.nextInt(1 + vertices / 2) + " " + random.nextInt(vertices))
                .collect(Collectors.joining("\n"))));
    }

    @Test
    void isTheSameToTheLastBitOnAnyNumberOfPes() {
        RandomGraph graph = new RandomGraph(300, 5000, 1);
        Ranks alone = Drills.survived(1, "", task(graph, 0.85, 20, 1, ""));
        for (int pes : new int[]{2, 3, 8}) {
            assertEquals(alone, Drills.survived(pes, "", task(graph, 0.85, 20, 2, "")), pes + " PEs");
        }
        assertArrayEquals(solved(graph, 0.85),
                Drills.survived(4, "3@2", task(graph, 0.85, CONVERGED, 2, "3@2")).values(), 1e-14);
    }

    @Test
    void doesOneIterationByTheFormula() {
        // a leads to b and c, b to c, c to nothing; all ranks are 1/3 before.
        EdgeList graph = EdgeList.parse(new InputText("three", "a b\na c\nb c\n"));
        Ranks ranks = Drills.survived(2, "", task(graph, 0.5, 1, 1, ""));
        double base = (0.5 + 0.5 / 3) / 3;
        assertArrayEquals(new double[]{base, base + 0.5 / 6, base + 0.5 * (1.0 / 6 + 1.0 / 3)}, ranks.values(), 1e-15);
        assertEquals(IntStream.range(0, 3).mapToDouble(vertex -> Math.abs(ranks.values()[vertex] - 1.0 / 3)).sum(),
                ranks.change(), 1e-15);
    }

    @Test
    void namesEdgesWhoseHoldersAreAllDead() {
        RandomGraph graph = new RandomGraph(50, 400, 1);
        DrillOutcome<Ranks> outcome = Drills.run(4, task(graph, 0.85, 5, 2, "0@3,2@3"));
        DrillOutcome.BlocksLost<?> lost = assertInstanceOf(DrillOutcome.BlocksLost.class, outcome);
        assertEquals(3, lost.iteration());
        assertEquals(List.of(0, 2), lost.failedRanks());
        assertEquals(200, lost.lostBlocks().blockCount());
    }

    @Test
    void readsEdgesWithCommentsAndAnyBlanks() {
        EdgeList graph = EdgeList.parse(new InputText("text", "\uFEFF# from to\n% x\n\n  b \t a \r\na b\nb 7"));
        assertEquals(3, graph.vertexCount());
        assertEquals(3, graph.edgeCount());
        assertEquals(List.of("b", "a", "7"), IntStream.range(0, 3).mapToObj(graph::name).toList());
        assertArrayEquals(new int[]{0, 1, 1, 0, 0, 2}, graph.edges(BlockRanges.of(0, 3)));
        assertArrayEquals(new int[]{0, 1, 0, 2},
                graph.edges(BlockRanges.of(BlockRange.of(0, 1), BlockRange.of(2, 1))));
    }

    @Test
    void saysWhichLineIsNoEdge() {
        assertEquals("text:3: an edge must be two names of vertices, found 3: a b 0.5",
                assertThrows(InvalidInputException.class,
                        () -> EdgeList.parse(new InputText("text", "# graph\na b\na b 0.5\n"))).getMessage());
        assertEquals("text: the graph must have an edge", assertThrows(InvalidInputException.class,
                () -> EdgeList.parse(new InputText("text", "# nothing\n"))).getMessage());
    }

    @Test
    void makesTheSameRandomEdgesInPartsAndAsAWhole() {
        RandomGraph graph = new RandomGraph(1000, 10_000, 3);
        int[] all = graph.edges(BlockRanges.of(0, 10_000));
        assertArrayEquals(Arrays.copyOfRange(all, 2 * 4000, 2 * 4100), graph.edges(BlockRanges.of(4000, 100)));
        assertTrue(Arrays.stream(all).allMatch(vertex -> vertex >= 0 && vertex < 1000));
        long toFew = IntStream.range(0, 10_000).filter(edge -> all[2 * edge + 1] < 125).count();
        assertEquals(5000.0, (double) toFew, 250, "half of the edges lead to an eighth of the vertices");
    }
}

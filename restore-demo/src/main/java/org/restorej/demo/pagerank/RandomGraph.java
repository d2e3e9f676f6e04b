package org.restorej.demo.pagerank;

import java.util.SplittableRandom;
import org.restorej.block.BlockRanges;

/**
 * A graph in which few vertices have most of the incoming edges. Each edge is a function of its number and a seed
 * alone, so that every PE can make its own.
 *
 * @param vertexCount how many, at least 1
 * @param edgeCount how many, at least 1
 * @param seed chooses the edges
 */
public record RandomGraph(int vertexCount, long edgeCount, long seed) implements Graph {
    @Override
    public int[] edges(BlockRanges numbers) {
        int[] edges = new int[Math.toIntExact(2 * numbers.blockCount())];
        int next = 0;
        for (int run = 0; run < numbers.runCount(); run++) {
            for (long number = numbers.runFirst(run); number < numbers.runEnd(run); number++) {
                SplittableRandom random = new SplittableRandom(
                        (number * 0xBF58476D1CE4E5B9L + seed) * 0x94D049BB133111EBL);
                edges[next++] = random.nextInt(vertexCount);
                // The third power: half of all edges lead to an eighth of the vertices.
                double uniform = random.nextDouble();
                edges[next++] = (int) (vertexCount * uniform * uniform * uniform);
            }
        }
        return edges;
    }

    @Override
    public String name(int vertex) {
        return Integer.toString(vertex);
    }

    @Override
    public String description() {
        return "random graph";
    }
}

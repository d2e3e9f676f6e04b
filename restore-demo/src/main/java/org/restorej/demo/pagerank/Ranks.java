package org.restorej.demo.pagerank;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * State of PageRank after an iteration: a number for each vertex, the same on every PE. Immutable, its array excepted.
 */
public final class Ranks {
    private final double[] values;
    private final double change;

    /** Takes the array over. */
    Ranks(double[] values, double change) {
        this.values = values;
        this.change = change;
    }

    /** The same rank for all vertices. */
    static Ranks uniform(int vertexCount) {
        double[] values = new double[vertexCount];
        Arrays.fill(values, 1.0 / vertexCount);
        return new Ranks(values, Double.POSITIVE_INFINITY);
    }

    /** Rank by vertex, about 1 in all: not a copy, not to be changed. */
    double[] values() {
        return values;
    }

    /** By how much the ranks have changed in the last iteration, in all. */
    public double change() {
        return change;
    }

    /** Vertices with the highest ranks, highest first. */
    List<Integer> top(int count) {
        return IntStream.range(0, values.length).boxed()
                .sorted(Comparator.comparingDouble((Integer vertex) -> -values[vertex])).limit(count).toList();
    }

    /** Whether both are the same to the last bit. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Ranks that && Arrays.equals(values, that.values)
                && Double.compare(change, that.change) == 0;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return values.length + " ranks, change " + change;
    }
}

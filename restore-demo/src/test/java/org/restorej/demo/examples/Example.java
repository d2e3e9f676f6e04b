package org.restorej.demo.examples;

import java.util.Arrays;
import java.util.Optional;
import org.restorej.comm.Communicator;

/** The examples, so short that they can be run a thousand times, and what they must come to. */
enum Example {
    /** A stencil, far from its end. */
    HEAT,
    /** Particles. */
    FLOCK,
    /** A hash table. */
    KMERS,
    /** Clusters. */
    KMEANS,
    /** Power iteration. */
    PAGERANK;

    private static final double PRECISION = 0.5;
    private static final int ITERATIONS = 12;
    private static final int FEW = 5;

    /** Runs it on the PEs of a communicator; returns something in which every bit of the result shows. */
    Object run(Communicator world) {
        return switch (this) {
            case HEAT -> Arrays.hashCode(Heat.run(world, -1, PRECISION, text -> {}));
            case FLOCK -> Flock.run(world, -1, ITERATIONS, text -> {});
            case KMERS -> Kmers.run(world, -1, text -> {});
            case KMEANS -> Arrays.hashCode(KMeans.run(world, Optional.empty(), -1, FEW, text -> {}));
            case PAGERANK ->
                Arrays.hashCode(PageRank.run(world, PageRank.Graph.of(PageRank.WIKIPEDIA), Optional.empty(), -1, FEW,
                        text -> {}));
        };
    }

    /** What one thread without any library comes to. */
    Object expected() {
        return switch (this) {
            case HEAT -> Arrays.hashCode(Sequential.heat(PRECISION));
            case FLOCK -> Sequential.flock(ITERATIONS);
            case KMERS -> Sequential.kmers();
            case KMEANS -> Arrays.hashCode(Sequential.kMeans(FEW));
            case PAGERANK -> Arrays.hashCode(Sequential.pageRank(FEW));
        };
    }
}

package org.restorej.demo.examples;

import java.util.Arrays;
import org.restorej.comm.Communicator;

/** The examples, so short that they can be run a thousand times, and what they must come to. */
enum Example {
    /** A stencil, far from its end. */
    HEAT,
    /** Particles. */
    FLOCK,
    /** A hash table. */
    KMERS;

    private static final double PRECISION = 0.5;
    private static final int ITERATIONS = 12;

    /** Runs it on the PEs of a communicator; returns something in which every bit of the result shows. */
    Object run(Communicator world) {
        return switch (this) {
            case HEAT -> Arrays.hashCode(Heat.run(world, -1, PRECISION, text -> {}));
            case FLOCK -> Flock.run(world, -1, ITERATIONS, text -> {});
            case KMERS -> Kmers.run(world, -1, text -> {});
        };
    }

    /** What one thread without any library comes to. */
    Object expected() {
        return switch (this) {
            case HEAT -> Arrays.hashCode(Sequential.heat(PRECISION));
            case FLOCK -> Sequential.flock(ITERATIONS);
            case KMERS -> Sequential.kmers();
        };
    }
}

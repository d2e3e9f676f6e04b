package org.restorej.demo.examples;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;
import org.restorej.comm.Communicator;

/** The examples, so short that they can be run a thousand times, and what they must come to. */
enum Example {
    /** A stencil, far from its end. */
    HEAT(world -> Arrays.hashCode(Heat.run(world, -1, 0.5, text -> {})), () -> Arrays.hashCode(Sequential.heat(0.5))),
    /** Particles. */
    FLOCK(world -> Flock.run(world, -1, 12, text -> {}), () -> Sequential.flock(12)),
    /** A hash table. */
    KMERS(world -> Kmers.run(world, -1, text -> {}), Sequential::kmers);

    private final Function<Communicator, Object> program;
    private final Supplier<Object> sequential;

    Example(Function<Communicator, Object> program, Supplier<Object> sequential) {
        this.program = program;
        this.sequential = sequential;
    }

    /** Runs it on the PEs of a communicator; returns something in which every bit of the result shows. */
    Object run(Communicator world) {
        return program.apply(world);
    }

    /** What one thread without any library comes to. */
    Object expected() {
        return sequential.get();
    }
}

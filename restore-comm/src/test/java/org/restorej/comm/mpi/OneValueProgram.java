package org.restorej.comm.mpi;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/** Prints how many bytes reductions of one value allocate, once warm. */
public final class OneValueProgram {
    private static final int CALLS = 2000;

    private OneValueProgram() {}

    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        reduce(world);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        reduce(world);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        System.out.println("bytes a reduction: " + bytes / (3 * CALLS));
        Mpi.finish(world);
    }

    private static void reduce(Communicator world) {
        for (int call = 0; call < CALLS; call++) {
            requireEqual((double) world.size() * call, (double) world.allReduce((long) call, Reduction.SUM));
            requireEqual(world.size() * 0.5, world.allReduce(0.5, Reduction.SUM));
            requireEqual(world.size() - 1.0, world.allReduce((double) world.rank(), Reduction.MAX));
        }
    }

    private static void requireEqual(double expected, double actual) {
        if (expected != actual) {
            throw new AssertionError("expected " + expected + ", was " + actual);
        }
    }
}

package org.restorej.comm.mpi;

import java.util.Arrays;
import org.restorej.comm.Reduction;

/** The main class of an executable jar. */
public final class JarProgram {
    private JarProgram() {}

    /** Counts the PEs. */
    public static void main(String[] args) {
        Programs.run(args, 3, world -> {
            long[] count = {1};
            world.allReduce(count, Reduction.SUM);
            if (world.rank() == 0) {
                System.out.println(count[0] + " PEs with " + Arrays.toString(args));
            }
        });
    }
}

package org.restorej.demo.examples;

import java.nio.file.Path;
import java.util.Optional;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Programs;

/** k-means in a job that a rank ends after ten iterations of its first start. Argument: a folder for files. */
public final class EndedKMeans {
    private static final int KILLED = 137;

    private EndedKMeans() {}

    /** Runs on the ranks that a launcher has started. */
    public static void main(String[] args) {
        Optional<Path> files = Optional.of(Path.of(args[0]));
        Programs.run(args, 1, world -> run(world, files));
    }

    private static double[] run(Communicator world, Optional<Path> files) {
        if ("0".equals(System.getenv("RESTOREJ_RESTART_COUNT"))) {
            KMeans.run(world, files, -1, 10, text -> {});
            if (world.rank() == 1) {
                Runtime.getRuntime().halt(KILLED);
            }
            world.barrier();
        }
        return KMeans.run(world, files, -1, 20, System.out::println);
    }
}

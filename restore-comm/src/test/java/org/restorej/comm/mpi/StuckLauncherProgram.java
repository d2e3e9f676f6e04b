package org.restorej.comm.mpi;

import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.Ancestors;

/** Rank 1 stops its launcher, and aborts the job then by a mistake. */
public final class StuckLauncherProgram {
    private StuckLauncherProgram() {}

    /** Runs on at least 2 ranks. */
    public static void main(String[] args) throws Exception {
        Communicator world = Mpi.world(args);
        if (world.rank() == 1) {
            long launcher = Ancestors.untilLauncher().getLast().pid();
            new ProcessBuilder("kill", "-STOP", Long.toString(launcher)).inheritIO().start().waitFor();
        }
        world.broadcast(world.rank() == 1 ? "no array" : new int[1], 0);
        world.barrier();
        Mpi.finish(world);
    }
}

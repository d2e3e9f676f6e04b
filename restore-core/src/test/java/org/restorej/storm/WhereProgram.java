package org.restorej.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;

/** Prints on each rank the name of its host, and how many ranks have met. */
public final class WhereProgram {
    private WhereProgram() {}

    /** No arguments. */
    public static void main(String[] args) throws IOException {
        Communicator world = Mpi.world(args);
        world.barrier();
        System.out.println(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + " " + world.size());
        Mpi.finish(world);
    }
}

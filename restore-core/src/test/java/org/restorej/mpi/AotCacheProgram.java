package org.restorej.mpi;

import org.restorej.comm.mpi.Mpi;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;

/** A job of its own kind, whose main class no cache knows. Its JVM is told to say where it has each class from. */
public final class AotCacheProgram {
    private AotCacheProgram() {}

    /** Builds a store and ends. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        ReStore.builder(world).blocks(world.size()).blockSizeBytes(8).replication(1).build().close();
        Mpi.finish(world);
        System.out.println("done");
    }
}

package org.restorej.cli.command;

import org.restorej.comm.mpi.Mpi;

/** Whether this process is a rank that mpirun has started, as its environment says before MPI is initialised. */
public final class LaunchedRank {
    private LaunchedRank() {}

    /** Whether mpirun has started this process. */
    public static boolean isThis() {
        return Mpi.wasLaunched();
    }

    /** Whether this is rank 0 of what mpirun has started. */
    public static boolean isFirst() {
        return "0".equals(System.getenv().getOrDefault("OMPI_COMM_WORLD_RANK", System.getenv("PMIX_RANK")));
    }
}

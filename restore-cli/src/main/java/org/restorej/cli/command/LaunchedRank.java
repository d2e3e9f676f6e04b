package org.restorej.cli.command;

import java.util.stream.Stream;
import org.restorej.comm.mpi.Mpi;

/**
 * Whether this process is a rank that an MPI launcher has started, as its environment says before MPI is initialised.
 */
public final class LaunchedRank {
    private LaunchedRank() {}

    /** Whether an MPI launcher has started this process. */
    public static boolean isThis() {
        return Mpi.wasLaunched();
    }

    /** Whether this is rank 0 of what an MPI launcher has started. */
    public static boolean isFirst() {
        return Stream.of("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK").map(System::getenv)
                .filter(rank -> rank != null).findFirst().filter("0"::equals).isPresent();
    }
}

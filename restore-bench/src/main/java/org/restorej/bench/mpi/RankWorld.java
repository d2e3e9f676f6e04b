package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.mpi.rival.MpiFailure;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;

/**
 * MPI in this process, for benchmarks, whose objects JMH makes: one per process. Used by one thread at a time.
 */
final class RankWorld {
    private static @Nullable RankWorld world;

    private final Communicator communicator;
    private final Intracomm intracomm;
    private final Path directory;
    /** Operations that this JVM has been warmed up for. */
    private final Set<String> warmedUp = new HashSet<>();
    private @Nullable Communicator survivors;

    private RankWorld(Communicator communicator, Intracomm intracomm, Path directory) {
        this.communicator = communicator;
        this.intracomm = intracomm;
        this.directory = directory;
    }

    /** Initialises MPI. Collective. */
    static synchronized RankWorld open() {
        Communicator communicator = Mpi.world(new String[0]);
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty(RankMain.DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir"))));
            world = new RankWorld(communicator, MPI.COMM_WORLD.dup(), directory);
            return world;
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Comm_dup", failure);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The one that was opened. */
    static synchronized RankWorld get() {
        if (world == null) {
            throw new IllegalStateException("these benchmarks run under mpirun: start them with bin/bench");
        }
        return world;
    }

    Communicator communicator() {
        return communicator;
    }

    /** For rivals. */
    Intracomm intracomm() {
        return intracomm;
    }

    int rank() {
        return communicator.rank();
    }

    int size() {
        return communicator.size();
    }

    /** The rank that is left out of {@link #survivors}: the last, since the first keeps the time. */
    int deadRank() {
        return size() - 1;
    }

    boolean isDead() {
        return rank() == deadRank();
    }

    /** All but {@link #deadRank}, which alone doesn't call this; made once. Collective among them. */
    Communicator survivors() {
        if (survivors == null) {
            survivors = Mpi.without(communicator, Set.of(deadRank()));
        }
        return survivors;
    }

    /** Where files of benchmarks go. Seen by all ranks, where a benchmark reads files of other ranks. */
    Path directory() {
        return directory;
    }

    /** The warm-up of an operation, which is longer where it is the first of this job. */
    WarmUp warmUpFor(String operation) {
        WarmUp warmUp = WarmUp.ofThisJob();
        return warmedUp.add(operation) ? warmUp.ofTheFirst() : warmUp;
    }

    /** Waits for all ranks. Collective. */
    void barrier() {
        try {
            intracomm.barrier();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Barrier", failure);
        }
    }
}

package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.mpi.rival.PlainMpi;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;

/**
 * MPI in this process, for benchmarks, whose objects JMH makes: one per process. Used by one thread at a time.
 */
final class RankWorld {
    private static @Nullable RankWorld world;

    private final Communicator communicator;
    private final Path directory;
    /** Operations that this JVM has been warmed up for. */
    private final Set<String> warmedUp = new HashSet<>();
    private @Nullable PlainMpi plain;
    private @Nullable Communicator survivors;

    private RankWorld(Communicator communicator, Path directory) {
        this.communicator = communicator;
        this.directory = directory;
    }

    /** Initialises MPI. Collective. */
    static synchronized RankWorld open() {
        Communicator communicator = Mpi.world(new String[0]);
        try {
            Path directory = Files.createDirectories(
                    Path.of(System.getProperty(RankMain.DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir"))));
            world = new RankWorld(communicator, directory);
            return world;
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

    /** For rivals; made when it is first asked for. Collective. */
    PlainMpi plain() {
        if (plain == null) {
            plain = new PlainMpi();
        }
        return plain;
    }

    int rank() {
        return communicator.rank();
    }

    int size() {
        return communicator.size();
    }

    /** The rank that is left out of {@link #survivors}: the last, since the first keeps the time. */
    int failedRank() {
        return size() - 1;
    }

    boolean hasFailed() {
        return rank() == failedRank();
    }

    /** All but {@link #failedRank}, which alone doesn't call this; made once. Collective among them. */
    Communicator survivors() {
        if (survivors == null) {
            survivors = Mpi.without(communicator, Set.of(failedRank()));
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
        plain().barrier();
    }

    /** How long an operation takes, from a barrier until all ranks have done it. Collective. */
    double millis(Runnable operation) {
        barrier();
        long start = System.nanoTime();
        operation.run();
        barrier();
        return (System.nanoTime() - start) / 1e6;
    }
}

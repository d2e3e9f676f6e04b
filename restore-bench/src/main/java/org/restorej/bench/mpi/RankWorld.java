package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.bench.result.ProgramTimes;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;

/**
 * MPI in this process, for benchmarks, whose objects JMH makes: one per process. Used by one thread at a time.
 */
final class RankWorld {
    private static @Nullable RankWorld world;

    private final Communicator communicator;
    private @Nullable PlainMpi plain;
    private @Nullable Communicator survivors;

    private RankWorld(Communicator communicator) {
        this.communicator = communicator;
    }

    /** Initialises MPI. Collective. */
    static synchronized RankWorld open() {
        world = new RankWorld(Mpi.world(new String[0]));
        return world;
    }

    /** The one that was opened. */
    static synchronized RankWorld get() {
        if (world == null) {
            throw new IllegalStateException("these benchmarks run under mpirun: start them with bin/bench");
        }
        return world;
    }

    /**
     * Runs a whole job, and ends it: the first rank has written its times to a file then. A wrong byte, or a file that
     * can't be written, is exit code 1. Collective.
     *
     * @param job initialised MPI is its argument; its times are what {@link ProgramTimes} writes
     */
    static void live(Path times, Function<RankWorld, Map<String, List<Double>>> job) {
        RankWorld ranks = open();
        try {
            Map<String, List<Double>> millis = job.apply(ranks);
            if (ranks.rank() == 0) {
                ProgramTimes.write(times, millis);
            }
        } catch (WrongBytesException | UncheckedIOException failure) {
            failure.printStackTrace();
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Mpi.finish(ranks.communicator());
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

    /** A folder for files of this rank, made if it isn't there. */
    Path folder(String name) {
        try {
            return Files.createDirectories(
                    Path.of(System.getProperty(RankMain.DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir")))
                            .resolve(name + "." + rank()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Tells every PE its entry, and hears this PE's entry of all. Collective. */
    long[] transposed(long[] values) {
        long[][] messages = Arrays.stream(values).mapToObj(value -> new long[]{value}).toArray(long[][]::new);
        return Arrays.stream(communicator.allToAll(messages)).mapToLong(message -> message[0]).toArray();
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

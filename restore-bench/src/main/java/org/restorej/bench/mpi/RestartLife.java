package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.restorej.balance.LoadBalancer;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.redset.LoopFiles;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * What each rank runs to measure a restart, on an MPI that survives no failure: the last rank is ended by SIGKILL, and
 * the launcher starts the job again, which goes on from its files. A time is that from the launch, or from the kill,
 * until the first rank begins its first iteration.
 */
public final class RestartLife {
    private static final long ITERATIONS = 6;
    private static final long KILLED_IN = 4;

    private final RankWorld ranks;
    private final StoreShape shape;
    private final Path folder;
    /** Milliseconds of the first start, once it is over. */
    private final Path started;
    /** When the rank was killed, once it was. */
    private final Path killed;

    private RestartLife(RankWorld ranks, StoreShape shape) {
        this.ranks = ranks;
        this.shape = shape;
        folder = ranks.folder("restart").resolveSibling("restart");
        started = folder.resolveSibling("started");
        killed = folder.resolveSibling("killed");
    }

    /** Measures. Arguments: the file for the times, bytes of a rank, and when the job was launched (ms since 1970). */
    public static void main(String[] args) {
        RankWorld.live(Path.of(args[0]), ranks -> new RestartLife(ranks,
                new StoreShape(ranks.size(), Long.parseLong(args[1]))).times(Long.parseLong(args[2])));
    }

    private Map<String, List<Double>> times(long launched) {
        boolean again = Files.exists(killed);
        int longs = Math.toIntExact(StoreShape.BLOCK_BYTES / Long.BYTES);
        double[] millis = {0};
        try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(shape.builder(ranks.communicator()),
                shape.blocks(), longs);
                CheckpointLoop loop = new CheckpointLoop(ranks.communicator(),
                        LoadBalancer.equal(ranks.size(), shape.blocks()), CheckpointInterval.iterations(1))) {
            loop.persist(LoopFiles.in(folder, "job"), CheckpointInterval.iterations(1));
            LocalRows<long[]> rows = loop
                    .keep(array.local(mine -> new long[Math.toIntExact(mine.blockCount()) * longs]));
            loop.run(ITERATIONS, (communicator, iteration) -> {
                if (millis[0] == 0) {
                    millis[0] = System.currentTimeMillis() - (again ? read(killed) : launched);
                    require(again == (iteration > 0), "goes on in iteration " + iteration);
                }
                require(Arrays.stream(rows.values()).allMatch(value -> value == iteration), "rows");
                Arrays.fill(rows.values(), iteration + 1);
                if (!again && iteration == KILLED_IN) {
                    killLastRank(millis[0]);
                }
            });
        }
        require(again, "was never killed");
        return Map.of("restart", List.of(millis[0]), "restart/first-start", List.of((double) read(started)));
    }

    private void killLastRank(double millis) {
        if (ranks.rank() == 0) {
            write(started, Math.round(millis));
        }
        ranks.barrier();
        if (ranks.hasFailed()) {
            write(killed, System.currentTimeMillis());
            try {
                new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void require(boolean right, String what) {
        if (!right) {
            throw new WrongBytesException(what);
        }
    }

    private static void write(Path file, long number) {
        try {
            Files.writeString(file, Long.toString(number));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long read(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

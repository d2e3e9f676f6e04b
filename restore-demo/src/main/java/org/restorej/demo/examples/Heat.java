package org.restorej.demo.examples;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * A stencil: how warm a square plate becomes whose upper edge is kept at 100 degrees and whose other edges at 0. In the
 * end it has 25 degrees in its middle: four plates, each with another warm edge, add up to one of 100 degrees.
 */
public final class Heat {
    /** Rows, and columns, of the plate without its edges. */
    static final int SIZE = 31;

    private static final double WARM = 100;
    private static final int TAG = 1;

    private Heat() {}

    /** Returns the plate, row after row, and shows it (again, if a PE fails meanwhile). In iteration {@code failureAt} a PE fails, for show. */
    static double[] run(Communicator world, long failureAt, double precision, Consumer<String> output) {
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), SIZE, SIZE);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(world.size(), SIZE),
                        CheckpointInterval.iterations(20))) {
            LocalRows<double[]> plate = loop.keep(array.local(mine -> new double[(int) mine.blockCount() * SIZE]));
            loop.runWhile(100_000, (comm, iteration) -> {
                if (iteration == failureAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1);
                }
                return comm.allReduce(sweep(comm, loop, plate), Reduction.MAX) > precision;
            });
            return loop.evaluate(comm -> {
                double[] all = Arrays.stream(comm.allGather(plate.values())).flatMapToDouble(DoubleStream::of)
                        .toArray();
                if (comm.rank() == 0) {
                    output.accept(picture(all) + middle(all));
                }
                return all;
            });
        }
    }

    /** Runs on eight threads, or on the ranks that a launcher has started. */
    public static void main(String[] args) {
        Programs.run(args, 8, world -> run(world, 100, 1e-5, System.out::println));
    }

    /** Gives each point the mean of its four neighbours, where it is; returns the greatest change. */
    private static double sweep(Communicator comm, CheckpointLoop loop, LocalRows<double[]> plate) {
        double[] rows = plate.values();
        double[] around = new double[rows.length + 2 * SIZE];
        if (rows.length > 0) {
            // A row of the neighbour above, the own ones, and a row of the neighbour below, as they were before.
            System.arraycopy(rows, 0, around, SIZE, rows.length);
            exchangeEdges(comm, loop, plate, MemorySegment.ofArray(around));
        }
        double change = 0;
        for (int i = 0; i < rows.length; i++) {
            double left = i % SIZE == 0 ? 0 : around[SIZE + i - 1];
            double right = i % SIZE == SIZE - 1 ? 0 : around[SIZE + i + 1];
            double next = (around[i] + around[i + 2 * SIZE] + left + right) / 4;
            change = Math.max(change, Math.abs(next - rows[i]));
            rows[i] = next;
        }
        return change;
    }

    private static void exchangeEdges(Communicator comm, CheckpointLoop loop, LocalRows<double[]> plate,
            MemorySegment around) {
        long row = SIZE * (long) Double.BYTES;
        long end = around.byteSize() - row;
        int above = loop.rankOf(plate.ids().blockAt(0) - 1);
        int below = loop.rankOf(plate.ids().blockAt(plate.count() - 1) + 1);
        comm.sendReceive(around.asSlice(row, row), above, around.asSlice(end, row), below, TAG);
        comm.sendReceive(around.asSlice(end - row, row), below, around.asSlice(0, row), above, TAG);
        if (above == Communicator.NO_RANK) {
            MemorySegment.copy(WARM_EDGE, 0, around, 0, row);
        }
    }

    private static final MemorySegment WARM_EDGE = MemorySegment
            .ofArray(DoubleStream.generate(() -> WARM).limit(SIZE).toArray());

    /** The plate as a picture of letters, cold to warm. */
    private static String picture(double[] plate) {
        StringBuilder picture = new StringBuilder();
        for (int i = 0; i < plate.length; i++) {
            picture.append(" .:-=+*#%@".charAt((int) (plate[i] / WARM * 9.99))).append((i + 1) % SIZE == 0 ? "\n" : "");
        }
        return picture.toString();
    }

    private static String middle(double[] plate) {
        return String.format(Locale.ROOT, "%.2f degrees in the middle", plate[plate.length / 2]);
    }
}

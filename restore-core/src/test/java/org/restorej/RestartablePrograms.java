package org.restorej;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.Checks;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** A program that survives failures inside its loop by itself, and those outside by being begun again. */
public final class RestartablePrograms {
    static final long ROWS = 120;
    /** What all survivors return. */
    public static final double SUM = 3 * ROWS * (ROWS - 1) / 2.0;

    /** Called with names of places where a PE may die. */
    public interface Places {
        /** The program is there. */
        void at(String place, Communicator communicator);
    }

    private RestartablePrograms() {}

    /** Sums the numbers of all rows three times. */
    public static double run(Communicator world, Places places) {
        places.at("begin", world);
        count(world);
        places.at("counted", world);
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(3), ROWS,
                1);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), ROWS),
                        CheckpointInterval.iterations(1))) {
            places.at("built", world);
            LocalRows<double[]> mine = loop.keep(array.constant(
                    rows -> LongStream.range(0, rows.blockCount()).mapToDouble(rows::blockAt).toArray()));
            loop.run(0, (communicator, iteration) -> {});
            places.at("submitted", loop.communicator());
            double total = 0;
            for (int step = 0; step < 3; step++) {
                total += loop.evaluate(communicator -> {
                    places.at("step", communicator);
                    double[] sum = {Arrays.stream(mine.values()).sum()};
                    communicator.allReduce(sum, Reduction.SUM);
                    return sum[0];
                });
                places.at("between", loop.communicator());
                // As one may not: beside the loop.
                count(loop.communicator());
            }
            places.at("end", loop.communicator());
            return total;
        }
    }

    private static void count(Communicator communicator) {
        long[] members = {1};
        communicator.allReduce(members, Reduction.SUM);
        Checks.equal((long) communicator.size(), members[0], "members");
    }
}

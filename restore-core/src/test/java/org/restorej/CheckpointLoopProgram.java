package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.loop.Recovery;
import org.restorej.placement.FailedRanks;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * An application whose rows change in place in every iteration, by sums over all rows of two arrays, a value and rows
 * that never change: whatever isn't put back to the same generation shows in its result.
 *
 * @param stores 1 or 2 arrays that change
 * @param options of the loop
 */
record CheckpointLoopProgram(int stores, UnaryOperator<CheckpointLoop> options, CheckpointInterval interval) {
    static final int ITERATIONS = 7;
    private static final int ROWS = 13;
    private static final int OTHER_ROWS = 9;

    /** Runs the application; returns sums that show every row, and the value. */
    List<Long> run(Communicator world) {
        try (ReplicatedArray<long[]> first = array(world, ROWS, 2);
                ReplicatedArray<long[]> other = array(world, OTHER_ROWS, 1);
                ReplicatedArray<long[]> constant = array(world, ROWS, 1);
                CheckpointLoop loop = options.apply(new CheckpointLoop(world,
                        LoadBalancer.equal(world.size(), ROWS), interval))) {
            LocalRows<long[]> rows = loop.keep(first.local(mine -> initial(mine, 2)));
            LocalRows<long[]> others = stores < 2
                    ? null
                    : loop.keep(other.local(mine -> initial(mine, 1)),
                            LoadBalancer.contiguous(world.size(), OTHER_ROWS));
            LocalRows<long[]> weights = loop.keep(constant.constant(mine -> initial(mine, 1)));
            LoopValue<long[]> value = loop.value(Codecs.LONGS, new long[]{1, 0});
            FailedRanks[] known = {FailedRanks.NONE};
            loop.onRecovery(recovery -> note(recovery, known));
            loop.run(3, (comm, iteration) -> iterate(comm, iteration, rows, others, weights, value));
            long middle = loop.evaluate(comm -> checksum(comm, rows));
            loop.run(ITERATIONS, (comm, iteration) -> iterate(comm, iteration, rows, others, weights, value));
            long end = loop.evaluate(comm -> checksum(comm, rows));
            long otherEnd = others == null ? 0 : loop.evaluate(comm -> checksum(comm, others));
            equal((long) ITERATIONS, loop.iteration(), "iterations");
            equal(rows.ids(), loop.blocks(), "blocks of this PE");
            return List.of(middle, end, otherEnd, value.get()[0], value.get()[1]);
        }
    }

    /** Each failure is told once. */
    private static void note(Recovery recovery, FailedRanks[] known) {
        equal(recovery.newlyFailed(), recovery.newlyFailed().minus(known[0]), "newly failed");
        known[0] = known[0].union(recovery.newlyFailed());
        equal(known[0], recovery.failedRanks(), "failed so far");
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            holds(recovery.nanos().containsKey(phase), "time of " + phase);
        }
    }

    private static ReplicatedArray<long[]> array(Communicator world, int rows, int rowLength) {
        return ReplicatedArray.ofLongs(ReStore.builder(world).replication(Math.min(3, world.size())), rows, rowLength);
    }

    private static long[] initial(BlockRanges rows, int rowLength) {
        return LongStream.range(0, rows.blockCount()).map(rows::blockAt)
                .flatMap(row -> LongStream.range(0, rowLength).map(column -> 31 * row + column + 1)).toArray();
    }

    private static void iterate(Communicator comm, long iteration, LocalRows<long[]> rows,
            @Nullable LocalRows<long[]> others,
            LocalRows<long[]> weights, LoopValue<long[]> value) {
        long[] sum = {Arrays.stream(rows.values()).sum() + (others == null ? 0 : Arrays.stream(others.values()).sum()),
                Arrays.stream(weights.values()).sum()};
        comm.allReduce(sum, Reduction.SUM);
        long mixed = (sum[0] ^ sum[1]) * 0x9E3779B97F4A7C15L + value.get()[0] + iteration;
        long[] values = rows.values();
        for (int i = 0; i < rows.count(); i++) {
            long weight = weights.values()[(int) weights.ids().indexOf(rows.ids().blockAt(i))];
            values[2 * i] = values[2 * i] * 31 + mixed;
            values[2 * i + 1] += iteration % 3 == rows.ids().blockAt(i) % 3 ? weight * mixed : 0;
        }
        // A second call, so that PEs die between changes of the same iteration.
        comm.allReduce(sum, Reduction.MAX);
        if (others != null) {
            Arrays.setAll(others.values(), i -> others.values()[i] ^ mixed * others.ids().blockAt(i));
        }
        value.get()[1]++;
        value.set(new long[]{mixed, value.get()[1]});
    }

    private static long checksum(Communicator comm, LocalRows<long[]> rows) {
        long[] sum = new long[1];
        int length = rows.count() == 0 ? 1 : rows.values().length / rows.count();
        for (int i = 0; i < rows.values().length; i++) {
            sum[0] += rows.values()[i] * (2 * rows.ids().blockAt(i / length) + 1) * (i % length + 3);
        }
        comm.allReduce(sum, Reduction.SUM);
        return sum[0];
    }
}

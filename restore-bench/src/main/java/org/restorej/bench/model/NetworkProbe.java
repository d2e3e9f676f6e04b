package org.restorej.bench.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.mpi.Mpi;

/**
 * Measures {@link NetworkTimes} between the ranks of an MPI job, best one on each node, and prints them: what a model
 * is given ({@code bin/bench --model --network}). Every number is a median.
 */
public final class NetworkProbe {
    private static final int TAG = 1;
    private static final int ROUNDS = 301;
    private static final int BURST = 1000;
    private static final int BURSTS = 11;
    private static final int LARGE_BYTES = 4 << 20;
    private static final int LARGE_ROUNDS = 21;

    private final Communicator world;
    private final MemorySegment small;
    private final MemorySegment sent;
    private final MemorySegment received;

    private NetworkProbe(Communicator world, Arena arena) {
        this.world = world;
        small = arena.allocate(Long.BYTES);
        sent = arena.allocate(LARGE_BYTES);
        received = arena.allocate(LARGE_BYTES);
    }

    /** What is measured, called by all ranks. */
    private interface Measured {
        void run();
    }

    /** Measures. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        if (world.size() < 2) {
            throw new IllegalArgumentException("there must be at least 2 ranks: " + world.size());
        }
        try (Arena arena = Arena.ofShared()) {
            NetworkTimes times = new NetworkProbe(world, arena).measure();
            if (world.rank() == 0) {
                System.out.println(world.size() + " ranks: " + times);
            }
        }
        Mpi.finish(world);
    }

    private NetworkTimes measure() {
        double doublings = Math.log(world.size()) / Math.log(2);
        double latency = micros(ROUNDS, this::pingPong) / 2;
        double message = micros(BURSTS, this::burst) / BURST;
        double large = micros(LARGE_ROUNDS, this::ring);
        double barrier = micros(ROUNDS, () -> await(List.of(world.iBarrier())));
        double reduction = micros(ROUNDS, () -> world.allReduce(new long[1], Reduction.MAX));
        double agreement = micros(ROUNDS, () -> world.agree(1));
        return new NetworkTimes(latency, message, LARGE_BYTES / large, barrier / doublings, reduction / doublings,
                agreement / doublings);
    }

    /** Median of the times of the first rank; the first tenth warms up. */
    private double micros(int rounds, Measured measured) {
        int warm = rounds / 10 + 1;
        double[] times = new double[rounds];
        world.allReduce(new long[1], Reduction.MAX);
        for (int round = -warm; round < rounds; round++) {
            long start = System.nanoTime();
            measured.run();
            times[Math.max(0, round)] = (System.nanoTime() - start) / 1e3;
        }
        Arrays.sort(times);
        return times[rounds / 2];
    }

    private int last() {
        return world.size() - 1;
    }

    private void pingPong() {
        if (world.rank() == 0) {
            await(List.of(world.iSend(small, last(), TAG)));
            await(List.of(world.iReceive(small, last(), TAG)));
        } else if (world.rank() == last()) {
            await(List.of(world.iReceive(small, 0, TAG)));
            await(List.of(world.iSend(small, 0, TAG)));
        }
    }

    /** Many messages one way, and a word that they have come. */
    private void burst() {
        if (world.rank() != 0 && world.rank() != last()) {
            return;
        }
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
            requests.add(world.rank() == 0 ? world.iSend(small, last(), TAG) : world.iReceive(small, 0, TAG));
        }
        await(requests);
        await(List.of(world.rank() == 0
                ? world.iReceive(received.asSlice(0, 1), last(), TAG)
                : world.iSend(sent.asSlice(0, 1), 0, TAG)));
    }

    /** Every rank sends to the next one. */
    private void ring() {
        Request receive = world.iReceive(received, (world.rank() + last()) % world.size(), TAG);
        await(List.of(world.iSend(sent, (world.rank() + 1) % world.size(), TAG), receive));
    }

    private static void await(List<Request> requests) {
        for (Request request : requests) {
            while (!request.test()) {
                Thread.onSpinWait();
            }
        }
    }
}

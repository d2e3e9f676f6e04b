package org.restorej.mpi;

import java.util.Arrays;
import java.util.stream.LongStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.mpi.EmbeddedMpi;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * A program with Open MPI's Java bindings whose iterations call MPI themselves, on the communicator that the library
 * has given them, and in the middle of which ranks fail: each of its numbers depends on all others in each iteration.
 */
public final class OwnCallsProgram {
    private static final int ROWS = 24;
    private static final long ITERATIONS = 60;
    private static final int TAG = 7;
    private static final int NO_SUCH_RANK = 1000;

    private final boolean wraps;
    private final boolean simulates;
    private final int size;
    private @Nullable Communicator of;
    private @Nullable Intracomm own;

    private OwnCallsProgram(String mode, int size) {
        wraps = mode.equals("wraps");
        simulates = mode.equals("simulates");
        this.size = size;
    }

    /** Runs; the argument "throws" lets an MPIException pass, "wraps" throws it as a cause, "simulates" fails so. */
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        EmbeddedMpi embedded = EmbeddedMpi.on(MPI.COMM_WORLD);
        Communicator latest = embedded.communicator();
        try {
            latest = new OwnCallsProgram(args[0], latest.size()).work(latest);
            System.out.println("left " + latest.size());
        } catch (SimulatedFailureError failed) {
            System.out.println("failed");
        }
        if (embedded.end(latest)) {
            MPI.Finalize();
        } else {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private Communicator work(Communicator world) {
        try (ReplicatedArray<long[]> array = ReplicatedArray.ofLongs(ReStore.builder(world), ROWS, 1);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(world.size(), ROWS),
                        CheckpointInterval.iterations(10))) {
            LocalRows<long[]> mine = loop.keep(array.local(OwnCallsProgram::ids));
            loop.run(ITERATIONS, (comm, iteration) -> {
                try {
                    sweep(comm, iteration, mine.values());
                } catch (MPIException met) {
                    throw wraps ? new IllegalStateException("in a sweep", met) : met;
                }
            });
            System.out.println("right " + Arrays.equals(mine.values(), expected(ids(loop.blocks()))));
            if (size == 1 && world.survivesFailures()) {
                System.out.println("own error " + ownError(loop));
            }
            System.out.println("sum " + loop.evaluate(comm -> sum(own(comm), mine.values())));
            return loop.communicator();
        }
    }

    private void sweep(Communicator comm, long iteration, long[] values) throws MPIException {
        Intracomm calls = own(comm);
        if (iteration == 25 && comm.size() == size && size > 1) {
            FailureSimulation.of(comm).fail(1);
        }
        if (simulates) {
            // Throws on all PEs alike; the next calls would wait for the failed one for ever.
            comm.barrier();
        }
        long total = sum(calls, values);
        if (iteration == 44 && comm.size() == size - 1 && !simulates) {
            FailureSimulation.of(comm).fail(0);
        }
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        long[] received = new long[1];
        calls.sendRecv(new long[]{total}, 1, MPI.LONG, next, TAG, received, 1, MPI.LONG, previous, TAG);
        for (int i = 0; i < values.length; i++) {
            values[i] = step(values[i], received[0]);
        }
    }

    private static long step(long value, long total) {
        return 3 * value + total;
    }

    private static long sum(Intracomm calls, long[] values) throws MPIException {
        long[] total = {Arrays.stream(values).sum()};
        calls.allReduce(total, 1, MPI.LONG, MPI.SUM);
        return total[0];
    }

    /** The program's own communicator of those who are left, made once for each. */
    @SuppressWarnings("ReferenceEquality") // Each communicator is another.
    private Intracomm own(Communicator comm) {
        Intracomm latest = own;
        if (latest == null || of != comm) {
            latest = EmbeddedMpi.intracomm(comm);
            own = latest;
            of = comm;
        }
        return latest;
    }

    /** A mistake of the program. */
    private String ownError(CheckpointLoop loop) {
        try {
            loop.evaluate(comm -> {
                own(comm).send(new long[1], 1, MPI.LONG, NO_SUCH_RANK, TAG);
                return 0;
            });
            return "none";
        } catch (RuntimeException undeclared) {
            return undeclared.toString();
        } catch (Exception declaredNowhere) {
            return declaredNowhere.getClass().getName();
        }
    }

    private static long[] ids(BlockRanges rows) {
        return LongStream.range(0, rows.blockCount()).map(rows::blockAt).toArray();
    }

    private static long[] expected(long[] ids) {
        long[] all = new long[ROWS];
        Arrays.setAll(all, row -> row);
        for (long iteration = 0; iteration < ITERATIONS; iteration++) {
            long total = Arrays.stream(all).sum();
            Arrays.setAll(all, row -> step(all[row], total));
        }
        return Arrays.stream(ids).map(id -> all[(int) id]).toArray();
    }
}

package org.restorej.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.mpi.Mpi;
import org.restorej.placement.Placement;

/**
 * What checksums cost: submits and pulls with and without them, by turns in one run.
 *
 * <pre>{@code
 * bin/mpirun-java -n 4 --cp restore-bench/target/restore-bench-0.1.0-SNAPSHOT-all.jar
 * org.restorej.bench.IntegrityReport }</pre>
 *
 * <p>
 * Each PE submits 16 MiB of another PE's ids in blocks of 64 bytes, four replicas, permutation ranges of 256 KiB. Then
 * all of them pull the share of one PE, spread over all, and everybody pulls another PE's whole share. The longest time
 * of any PE counts; printed are medians in milliseconds, and the ratio of those with checksums to those without.
 * Without MPI, with the argument {@code local}, PEs are threads.
 */
public final class IntegrityReport {
    private static final int BLOCK_BYTES = 64;
    private static final long BYTES_PER_PE = 16L << 20;
    private static final int WARM_UPS = 10;
    private static final int REPETITIONS = 25;

    private static final String[] OPERATIONS = {"submit", "pull one PE's share, spread", "pull a whole share each",
            "scrub"};

    private IntegrityReport() {}

    /** Prints the report. */
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("local")) {
            LocalCluster.run(4, world -> {
                report(world);
                return null;
            });
            return;
        }
        Communicator world = Mpi.world(args);
        report(world);
        Mpi.finish(world);
    }

    private static void report(Communicator world) {
        double[][][] millis = new double[2][OPERATIONS.length][REPETITIONS];
        try (ReStore without = store(world, false); ReStore with = store(world, true); Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(BYTES_PER_PE, 64);
            MemorySegment destination = arena.allocate(BYTES_PER_PE, 64);
            for (int repetition = -WARM_UPS; repetition < REPETITIONS; repetition++) {
                for (int checksums = 0; checksums < 2; checksums++) {
                    double[] times = measure(world, checksums == 0 ? without : with, source, destination);
                    for (int operation = 0; repetition >= 0 && operation < times.length; operation++) {
                        millis[checksums][operation][repetition] = times[operation];
                    }
                }
            }
        }
        if (world.rank() == 0) {
            print(world.size(), millis);
        }
    }

    private static ReStore store(Communicator world, boolean checksums) {
        return ReStore.builder(world).blocks(world.size() * (BYTES_PER_PE / BLOCK_BYTES)).blockSizeBytes(BLOCK_BYTES)
                .permutationRangeBlocks((256 << 10) / BLOCK_BYTES).replication(Math.min(4, world.size()))
                .checksums(checksums).build();
    }

    private static double[] measure(Communicator world, ReStore store, MemorySegment source,
            MemorySegment destination) {
        BlockRange next = share(store.placement(), (world.rank() + 1) % world.size());
        BlockRange first = share(store.placement(), 0);
        Placement parts = new Placement(world.size(), first.count(), 1);
        BlockRanges part = BlockRanges.of(first.first() + parts.firstPosition(world.rank()),
                parts.blocksIn(world.rank()));
        return new double[]{time(world, () -> store.submit(next, source)),
                time(world, () -> store.pull(part, destination)),
                time(world, () -> store.pull(BlockRanges.of(next), destination)), time(world, store::scrub)};
    }

    private static BlockRange share(Placement placement, int rank) {
        return BlockRange.of(placement.firstPosition(rank), placement.blocksIn(rank));
    }

    private static double time(Communicator world, Runnable operation) {
        world.allReduce(new long[1], Reduction.MAX);
        long start = System.nanoTime();
        operation.run();
        long[] nanos = {System.nanoTime() - start};
        world.allReduce(nanos, Reduction.MAX);
        return nanos[0] / 1e6;
    }

    private static void print(int pes, double[][][] millis) {
        System.out.printf(Locale.ROOT, "%d PEs, medians of %d [ms]%n%-30s %10s %10s %8s%n", pes, REPETITIONS, "",
                "without", "with", "ratio");
        for (int operation = 0; operation < OPERATIONS.length; operation++) {
            double without = median(millis[0][operation]);
            double with = median(millis[1][operation]);
            System.out.printf(Locale.ROOT, "%-30s %10.2f %10.2f %8.2f%n", OPERATIONS[operation], without, with,
                    with / without);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}

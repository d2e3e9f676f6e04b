package org.restorej.internal.training;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ServiceLoader;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * The training run of an AOT cache (JEP 483, 514 and 515): ranks run the code of a store's life cycle, with few bytes,
 * and the parts of other modules ({@link TrainingPart}), while the JVM of the first rank records.
 * {@code bin/mpirun-java} starts it, on three ranks, when it first sees a build of the library. Ranks that start with
 * that cache have all these classes loaded and linked, and their compilers know in advance which methods are called
 * often.
 */
final class AotTraining {
    private static final int TURNS = 20;
    private static final long BLOCK_BYTES = 64;
    private static final long BLOCKS_PER_PE = 1 << 12;
    private static final long PERMUTATION_RANGE_BLOCKS = 1 << 6;
    private static final int COLUMNS = 4;

    private final Communicator world;
    private final BlockRange mine;
    private final BlockRange others;
    private final BlockRange part;

    private AotTraining(Communicator world) {
        this.world = world;
        mine = share(world.rank());
        others = share((world.rank() + 1) % world.size());
        long blocks = BLOCKS_PER_PE / world.size();
        part = BlockRange.of(world.rank() * blocks, blocks);
    }

    private static BlockRange share(int rank) {
        return BlockRange.of(rank * BLOCKS_PER_PE, BLOCKS_PER_PE);
    }

    /** Called by all ranks. With the argument {@code fail} the last one fails, by simulation. */
    public static void main(String[] args) {
        Communicator last = Mpi.world(args);
        try {
            new AotTraining(last).callTheStore();
            for (TrainingPart part : ServiceLoader.load(TrainingPart.class)) {
                part.train(last);
            }
            last = new AotTraining(last).loop(args.length > 0 && args[0].equals("fail"));
        } catch (SimulatedFailureError failed) {
            // This rank's failure was simulated: its process only waits for the end.
        }
        Mpi.finish(last);
    }

    private void callTheStore() {
        try (Arena arena = Arena.ofShared(); ReStore store = store()) {
            MemorySegment source = arena.allocate(BLOCKS_PER_PE * BLOCK_BYTES, Long.BYTES);
            MemorySegment destination = arena.allocate(BLOCKS_PER_PE * BLOCK_BYTES, Long.BYTES);
            for (int turn = 0; turn < TURNS; turn++) {
                store.submit(mine, source);
                store.pull(BlockRanges.of(part), destination.asSlice(0, part.count() * BLOCK_BYTES));
                store.pull(BlockRanges.of(others), destination);
            }
            store.submitChanges(new Submission().add(BlockRange.of(mine.first(), 1), source.asSlice(0, BLOCK_BYTES)));
            store.submitAsync(new Submission().add(mine, (id, block) -> block.set(ValueLayout.JAVA_LONG, 0, id)))
                    .await();
            store.pull(BlockRanges.of(part),
                    (id, block) -> destination.setAtIndex(ValueLayout.JAVA_LONG, id - part.first(),
                            block.get(ValueLayout.JAVA_LONG, 0)));
            store.scrub();
            // Shrinks although no PE has failed; the code is the same.
            try (Communicator survivors = world.shrink()) {
                store.recover(survivors);
                store.pull(BlockRanges.of(part), arena);
                store.replenish();
            }
        }
    }

    private ReStore store() {
        return ReStore.builder(world).blocks(world.size() * BLOCKS_PER_PE).blockSizeBytes(BLOCK_BYTES).replication(2)
                .permutationRangeBlocks(PERMUTATION_RANGE_BLOCKS).build();
    }

    private Communicator loop(boolean fails) {
        int rows = (int) (world.size() * BLOCKS_PER_PE);
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world).replication(2), rows,
                COLUMNS);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), rows),
                        CheckpointInterval.iterations(1))) {
            LocalRows<double[]> mine = loop.keep(array.local(own -> new double[(int) own.blockCount() * COLUMNS]));
            loop.run(2, (alive, iteration) -> {
                if (fails && alive.size() == world.size()) {
                    FailureSimulation.of(alive).fail(alive.size() - 1);
                }
                mine.values()[0] += alive.allReduce(mine.values()[0], Reduction.SUM);
            });
            return loop.communicator();
        }
    }
}

package org.restorej;

import java.util.List;
import java.util.function.LongConsumer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.HookedCommunicator;

/**
 * The heap of rank 1 is full from the moment in which it learns that all ranks agree on a commit: it must have the new
 * generation as the others do.
 */
public final class FullHeapCommitProgram {
    /** What every rank prints at the end. */
    static final String END = "all have the same generation";

    private static final long BLOCKS = 300;
    private static final int BLOCK_BYTES = 64;

    private final Communicator world;
    private final ReStore store;
    private final ReStore coded;
    private boolean armed;
    private int fillings;
    private final FullHeap heap = new FullHeap();

    private FullHeapCommitProgram(Communicator world) {
        this.world = world;
        Communicator hooked = new HookedCommunicator(world, () -> {}, this::fillIfArmed);
        store = ReStore.builder(hooked).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(2).build();
        coded = ReStore.builder(hooked).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).coded(2, 1).build();
    }

    /** Runs. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        FullHeapCommitProgram program = new FullHeapCommitProgram(world);
        for (ReStore each : List.of(program.store, program.coded)) {
            program.run(each);
        }
        System.out.println(END);
        program.store.close();
        program.coded.close();
        Mpi.finish(world);
    }

    private void run(ReStore on) {
        commit(on, false, version -> on.submit(submission(version, BLOCKS)));
        for (boolean full : new boolean[]{false, true}) {
            commit(on, full, version -> on.submit(submission(version, BLOCKS)));
            // What is staged comes before the heap is full.
            StagedSubmission all = on.stage(submission(next(on), BLOCKS));
            commit(on, full, _ -> StagedSubmission.commitTogether(List.of(all)));
            if (on == store) {
                commit(on, full, version -> on.submitChanges(submission(version, BLOCKS)));
                StagedSubmission changes = on.stageChanges(submission(next(on), BLOCKS));
                commit(on, full, _ -> StagedSubmission.commitTogether(List.of(changes)));
            }
        }
    }

    private static long next(ReStore on) {
        return on.generation() + 1;
    }

    /** This rank's part of the first blocks, each of which is full of the number of its generation. */
    private Submission submission(long version, long blocks) {
        return new Submission().add(BlockRange.between(blocks * world.rank() / world.size(),
                blocks * (world.rank() + 1) / world.size()), (_, block) -> block.fill((byte) version));
    }

    private void commit(ReStore on, boolean full, LongConsumer call) {
        long version = next(on);
        world.barrier();
        int before = fillings;
        try {
            armed = full && world.rank() == 1;
            call.accept(version);
        } catch (OutOfMemoryError afterwards) {
            // It has committed, and had no memory for what came then.
            heap.clear();
        } finally {
            armed = false;
            heap.clear();
        }
        if (full && world.rank() == 1 && fillings == before) {
            throw new IllegalStateException("the heap was not filled");
        }
        long[] generations = {on.generation(), -on.generation()};
        world.allReduce(generations, Reduction.MAX);
        if (generations[0] != version || -generations[1] != version) {
            throw new IllegalStateException("generations from " + -generations[1] + " to " + generations[0]
                    + " instead of " + version);
        }
        on.pull(BlockRanges.of(0, BLOCKS), (id, block) -> {
            for (byte value : block.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
                if (value != (byte) version) {
                    throw new IllegalStateException("block " + id + " is of " + value + " instead of " + version);
                }
            }
        });
    }

    private void fillIfArmed() {
        if (armed) {
            armed = false;
            fillings++;
            heap.fill();
        }
    }
}

package org.restorej.crash;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.restorej.IrrecoverableDataLossException;
import org.restorej.ReStore;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.exchange.Settlement;
import org.restorej.placement.Placement;

/**
 * A program in which PEs may die anywhere: it prepares a store, does one operation, and goes on until the survivors have
 * read everything back.
 *
 * @param operation the operation
 * @param pes number of PEs
 * @param replication replication level K
 * @param deaths how many PEs are made to die, the one that an operation needs to have something to do included
 */
record CrashScenario(CrashOperation operation, int pes, int replication, int deaths) {
    private static final int BLOCKS = 61;
    private static final int BLOCK_BYTES = 3;

    /** The operations in which PEs die. */
    enum CrashOperation {
        /** A second generation is submitted. */
        SUBMIT,
        /** Everybody pulls blocks that others hold. */
        PULL,
        /** The same as a push. */
        PUSH,
        /** After a death, survivors recover the store. */
        RECOVER,
        /** After a death and a recovery, survivors replenish. */
        REPLENISH;

        boolean needsADeath() {
            return this == RECOVER || this == REPLENISH;
        }
    }

    /**
     * How a survivor ended.
     *
     * @param done whether the operation returned
     * @param generation generation at the end
     * @param lost blocks that were lost
     */
    record End(boolean done, long generation, BlockRanges lost) {}

    /** Marks where the operation begins and ends. */
    interface Marks {
        /** Called by a PE of this original rank right before the operation. */
        void begin(int originalRank);

        /** Called right after it. */
        void end(int originalRank);
    }

    End run(Communicator world, Marks marks) {
        int rank = world.rank();
        try (ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES)
                .replication(replication).permutationRangeBlocks(4).ringPoints(3).build()) {
            submit(world, store, 1);
            Communicator comm = operation.needsADeath() ? afterADeath(world) : world;
            if (operation == CrashOperation.REPLENISH) {
                store.recover(comm);
            }
            marks.begin(rank);
            boolean done = attempt(comm, store);
            marks.end(rank);
            return readEverything(comm, store, done);
        }
    }

    private static void submit(Communicator comm, ReStore store, long version) {
        Placement runs = new Placement(comm.size(), BLOCKS, 1);
        // Every PE submits the blocks of the next one.
        int next = (comm.rank() + 1) % comm.size();
        TestBlocks content = new TestBlocks(BLOCK_BYTES, version);
        store.submit(BlockRange.of(runs.firstPosition(next), runs.blocksIn(next)), content::write);
    }

    private static Communicator afterADeath(Communicator world) {
        ((FailureSimulation) world).fail(IntSet.of(world.size() - 1));
        world.revoke();
        return world.shrink();
    }

    /** Does the operation; says whether it returned. */
    private boolean attempt(Communicator comm, ReStore store) {
        try {
            switch (operation) {
                case SUBMIT -> submit(comm, store, 2);
                case PULL -> checkPulled(store, share(comm), false);
                case PUSH -> checkPulled(store, share(comm), true);
                case RECOVER -> store.recover(comm);
                case REPLENISH -> store.replenish();
            }
            return true;
        } catch (ProcessFailedException | CommunicatorRevokedException failure) {
            return false;
        }
    }

    private static BlockRanges share(Communicator comm) {
        return BlockRanges.of(BlockRange.of(comm.rank(), 20), BlockRange.of(50, 7));
    }

    private void checkPulled(ReStore store, BlockRanges wanted, boolean push) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate((long) BLOCKS * BLOCK_BYTES);
            if (push) {
                store.push(rank -> BlockRanges.of(BlockRange.of(rank.value(), 20), BlockRange.of(50, 7)), memory);
            } else {
                store.pull(wanted, memory);
            }
            new TestBlocks(BLOCK_BYTES, store.generation()).checkAll(wanted, memory);
        }
    }

    /** Whatever has happened: the survivors come together and each reads all blocks that are left. */
    private End readEverything(Communicator comm, ReStore store, boolean done) {
        Communicator current = comm;
        if (!done) {
            current = recover(comm, store);
        }
        while (true) {
            try {
                BlockRanges[] lost = new BlockRanges[1];
                Settlement.settle(current, () -> {}, "reading everything", () -> {
                    lost[0] = checkAll(store);
                    return Settlement.ALL;
                });
                return new End(done, store.generation(), lost[0]);
            } catch (ProcessFailedException | CommunicatorRevokedException failure) {
                current = recover(current, store);
            }
        }
    }

    private static Communicator recover(Communicator comm, ReStore store) {
        Communicator current = comm;
        while (true) {
            try {
                current.revoke();
                current = current.shrink();
                store.recover(current);
                return current;
            } catch (ProcessFailedException | CommunicatorRevokedException again) {
                // One more has died.
            }
        }
    }

    private BlockRanges checkAll(ReStore store) {
        BlockRanges all = BlockRanges.of(0, BLOCKS);
        TestBlocks content = new TestBlocks(BLOCK_BYTES, store.generation());
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate((long) BLOCKS * BLOCK_BYTES);
            try {
                store.pull(all, memory);
            } catch (IrrecoverableDataLossException loss) {
                holds(deaths >= replication, "no loss before K have died: " + loss.getMessage());
                equal(store.lostBlocks(), loss.lostBlocks(), "lost blocks");
                BlockRanges rest = all.minus(loss.lostBlocks());
                for (long i = 0; i < rest.blockCount(); i++) {
                    long id = rest.blockAt(i);
                    content.check(id, memory.asSlice(id * BLOCK_BYTES, BLOCK_BYTES));
                }
                return loss.lostBlocks();
            }
            content.checkAll(all, memory);
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            return BlockRanges.EMPTY;
        }
    }
}

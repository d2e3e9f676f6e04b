package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.HealingStorePrograms.sumOverPes;
import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.internal.operation.Generation;
import org.restorej.internal.storage.ReplicaMemory;

/** What the store promises when bits have flipped, nobody knows it yet, and then a PE fails. */
public final class DamageCombinationPrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since some leave failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aChangeAfterAFailureThatFindsItsBlockLostIsRefused", 4,
                    DamageCombinationPrograms::changeOfLostAfterAFailure),
            new ContractProgram("replenishDoesNotSpreadDamage", 4,
                    world -> damageBeforeReplenish(world, false, false)),
            new ContractProgram("replenishDoesNotSpreadDamageOfSizedBlocks", 4,
                    world -> damageBeforeReplenish(world, true, false)),
            new ContractProgram("replenishDoesNotSpreadDamageOfSizes", 4,
                    world -> damageBeforeReplenish(world, true, true)));

    private static final int MAX_BYTES = 40;
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);
    private static final TestBlocks EQUAL_BLOCKS = new TestBlocks(MAX_BYTES, 1);
    private static final SizedBlocks SIZED_BLOCKS = new SizedBlocks(MAX_BYTES, 2);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore submitted(Communicator world, boolean sized) {
        ReStoreBuilder builder = ReStore.builder(world).blocks(BLOCKS).replication(3).permutationRangeBlocks(8)
                .ringPoints(3);
        ReStore store = (sized ? builder.variableBlockSizes(20) : builder.blockSizeBytes(MAX_BYTES)).build();
        if (sized) {
            VariableStorePrograms.submitOwnRun(world, store, BLOCKS, SIZED_BLOCKS);
        } else {
            store.submit(ownRun(world, BLOCKS), EQUAL_BLOCKS::write);
        }
        return store;
    }

    private static void check(ReStore store, boolean sized, BlockRanges wanted) {
        if (sized) {
            SIZED_BLOCKS.pullAndCheck(store, wanted);
        } else {
            EQUAL_BLOCKS.pullAndCheck(store, wanted);
        }
    }

    /** Flips a bit of a block, or of its size, in the memory of one of its first holders, if that is this PE. */
    private static boolean flip(ReStore store, long blockId, int replica, boolean inSizes) {
        long position = store.state().layout().permutation().positionOf(blockId);
        if (store.placement().holder(store.placement().rangeOf(position), replica) != store.rank().value()) {
            return false;
        }
        Generation generation = store.state().submitted("a test");
        ReplicaMemory memory = inSizes ? Objects.requireNonNull(generation.sizes()) : generation.blocks();
        MemorySegment block = memory.at(position, 1);
        block.set(ValueLayout.JAVA_BYTE, 0, (byte) (block.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
        return true;
    }

    /** Block 1, of which one holder is alive, is changed, beside a block of the same chunk that is damaged there. */
    private static void changeOfLostAfterAFailure(Communicator world) {
        try (ReStore store = submitted(world, false)) {
            int range = store.rangeOf(0);
            Communicator comm = kill(world, store.placement().holder(range, 0), store.placement().holder(range, 1));
            store.recover(comm);
            equal(1L, sumOverPes(comm, flip(store, 0, 2, false) ? 1 : 0), "flipped bits");
            TestBlocks newer = new TestBlocks(MAX_BYTES, 3);
            Submission change = comm.rank() == 0
                    ? new Submission().add(BlockRange.of(1, 1), newer::write)
                    : new Submission();
            throwing(InvalidSubmissionException.class, () -> store.submitChanges(change), "a change of a lost block");
            equal(1L, store.generation(), "generation");
            BlockRanges lost = store.lostBlocks();
            holds(lost.contains(0) && lost.contains(1), "lost blocks: " + lost);
            check(store, false, EVERYTHING.minus(lost));
        }
    }

    /** One of three replicas of many chunks is damaged, and no read has found it when another replica is lost. */
    private static void damageBeforeReplenish(Communicator world, boolean sized, boolean inSizes) {
        try (ReStore store = submitted(world, sized)) {
            long flipped = 0;
            for (long id = 0; id < BLOCKS; id += 16) {
                int replica = (int) (id / 16 % 3);
                boolean empty = sized && !inSizes && SIZED_BLOCKS.sizeOf(id) == 0;
                boolean mine = !empty && flip(store, id, replica, inSizes);
                flipped += mine && world.rank() != world.size() - 1 ? 1 : 0;
            }
            long damaged = sumOverPes(world, flipped);
            Communicator comm = kill(world, world.size() - 1);
            store.recover(comm);
            holds(sumOverPes(comm, store.replenish()) > 0, "lost replicas are made anew");
            // Replicas that were copied from have been looked at, and repaired; no copy is damaged.
            long left = store.scrub().damagedReplicas();
            holds(left < damaged, "of " + damaged + " damaged replicas " + left + " are left");
            check(store, sized, EVERYTHING);
            store.replenish();
            equal(0L, store.scrub().damagedReplicas(), "damaged replicas");
            // Each replica that was made anew is all that is left of some block.
            while (comm.size() > 1) {
                comm = kill(comm, 0);
                store.recover(comm);
                check(store, sized, EVERYTHING);
                store.replenish();
            }
        }
    }
}

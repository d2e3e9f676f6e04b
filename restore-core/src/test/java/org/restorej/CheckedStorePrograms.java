package org.restorej;

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
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.report.StoreReport.Scrub;

/** What the store promises when bits flip in replica memory; the programs flip them. */
public final class CheckedStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aDamagedReplicaIsNeverDelivered", 2, CheckedStorePrograms::neverDelivered),
            new ContractProgram("replenishRepairsDamagedReplicas", 2, CheckedStorePrograms::repair),
            new ContractProgram("aChunkDamagedWhileAChangeIsStagedIsFound", 2,
                    CheckedStorePrograms::damagedWhileStaged),
            new ContractProgram("aDamagedChecksumIsDamageToo", 2, CheckedStorePrograms::damagedChecksum),
            new ContractProgram("scrubFindsEveryDamagedReplica", 1, CheckedStorePrograms::scrub),
            new ContractProgram("whatIsDamagedEverywhereIsLost", 1, CheckedStorePrograms::lost),
            new ContractProgram("aChangeDoesNotHideDamage", 2, CheckedStorePrograms::changedDamage),
            new ContractProgram("aChangeThatFindsItsBlockLostIsRefused", 1, CheckedStorePrograms::changeOfLost),
            new ContractProgram("aStagedChangeThatFindsItsBlockLostIsRefused", 1,
                    CheckedStorePrograms::stagedChangeOfLost));

    private static final long BLOCKS = 240;
    private static final int RANGE_BLOCKS = 5;
    private static final TestBlocks CONTENT = new TestBlocks(13, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world, int replication) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(13).permutationRangeBlocks(RANGE_BLOCKS)
                .ringPoints(3).replication(Math.min(replication, world.size()));
    }

    private static ReStore submitted(Communicator world, int replication) {
        ReStore store = builder(world, replication).build();
        store.submit(ownRun(world, BLOCKS), CONTENT::write);
        return store;
    }

    /** Flips a bit of a block's replica in the memory of one of its holders; says whether this PE is that holder. */
    public static boolean flip(ReStore store, long blockId, int replica) {
        long position = store.state().layout().permutation().positionOf(blockId);
        if (store.state().readable().directory().layout() != null) {
            return flipAt(store, position);
        }
        int range = store.placement().rangeOf(position);
        return flipAt(store, position, store.placement().holder(range, replica));
    }

    /** Likewise, of the one part that has a position, where blocks are coded. */
    public static boolean flipAt(ReStore store, long position) {
        return flipAt(store, position, holderOfPart(store, position));
    }

    private static boolean flipAt(ReStore store, long position, int holder) {
        boolean mine = !store.isIdleSpare() && holder == store.rank().value();
        if (mine) {
            flipFirstBit(blocks(store).at(position, 1));
        }
        return mine;
    }

    /** Who has a position, where blocks are coded. */
    public static int holderOfPart(ReStore store, long position) {
        return store.state().readable().directory().replicaMap().holderOfPart(position);
    }

    /** How blocks are coded. */
    public static CodedLayout layout(ReStore store) {
        return Objects.requireNonNull(store.state().readable().directory().layout());
    }

    private static ReplicaMemory blocks(ReStore store) {
        return store.state().submitted("a test").blocks();
    }

    private static void flipFirstBit(MemorySegment memory) {
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) (memory.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
    }

    private static int damagedReplicas(ReStore store) {
        return store.report().damagedReplicas();
    }

    private static void neverDelivered(Communicator world) {
        try (ReStore store = submitted(world, 2)) {
            flip(store, 17, 0);
            flip(store, 100, 1);
            for (int round = 0; round < 3; round++) {
                CONTENT.pullAndCheck(store, BlockRanges.of(BlockRange.of(world.rank(), 30), BlockRange.of(99, 5)));
                CONTENT.pullAndCheck(store, EVERYTHING);
                store.pull(BlockRanges.of(15, 4), CONTENT::check);
            }
            // A PE that holds a range serves itself, so each damaged replica has been read by somebody.
            equal(2, damagedReplicas(store), "damaged replicas");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            holds(store.report().blocksByReplicas().get(1) > 0, "some blocks have one sound replica left");
        }
    }

    private static void repair(Communicator world) {
        try (ReStore store = submitted(world, 2)) {
            flip(store, 17, 0);
            flip(store, 203, 1);
            equal(2L, store.scrub().damagedReplicas(), "damaged replicas before");
            long[] received = {store.replenish()};
            world.allReduce(received, Reduction.SUM);
            holds(received[0] > 0 && received[0] <= 2L * RANGE_BLOCKS * 13, "bytes of two chunks: " + received[0]);
            equal(0, damagedReplicas(store), "damaged replicas after");
            equal(0L, store.scrub().damagedReplicas(), "damaged replicas found by another scrub");
            // The repaired ones are all that is left of their blocks now.
            flip(store, 17, 1);
            flip(store, 203, 0);
            CONTENT.pullAndCheck(store, EVERYTHING);
            equal(2, damagedReplicas(store), "damaged replicas at the end");
        }
    }

    private static void damagedWhileStaged(Communicator world) {
        TestBlocks newer = new TestBlocks(13, 2);
        try (ReStore store = submitted(world, 2)) {
            StagedSubmission staged = store.stageChanges(world.rank() == 0
                    ? new Submission().add(BlockRange.of(121, 1), newer::write)
                    : new Submission());
            flip(store, 120, 0);
            StagedSubmission.commitTogether(List.of(staged));
            equal(1L, store.scrub().damagedReplicas(), "damaged replicas");
            CONTENT.pullAndCheck(store, BlockRanges.of(120, 1));
            newer.pullAndCheck(store, BlockRanges.of(121, 1));
        }
    }

    private static void damagedChecksum(Communicator world) {
        try (ReStore store = submitted(world, 2)) {
            long position = store.state().layout().permutation().positionOf(61);
            int range = store.placement().rangeOf(position);
            if (store.placement().holder(range, 1) == store.rank().value()) {
                long first = store.placement().firstPosition(range);
                flipFirstBit(blocks(store).checksums(first, store.placement().blocksIn(range)));
            }
            equal(1L, store.scrub().damagedReplicas(), "damaged replicas");
            store.replenish();
            equal(0L, store.scrub().damagedReplicas(), "damaged replicas after repair");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void scrub(Communicator world) {
        try (ReStore store = submitted(world, 3)) {
            Scrub sound = store.scrub();
            equal(0L, sound.damagedReplicas(), "damaged replicas at first");
            equal(13 * BLOCKS * store.placement().replication(), sound.checkedBytes(), "checked bytes");
            for (long id = 0; id < BLOCKS; id += 24) {
                flip(store, id, (int) (id / 24) % store.placement().replication());
            }
            long found = store.scrub().damagedReplicas();
            // Ids 24 apart lie in different permutation ranges of 5, and each of these in one chunk or more.
            equal(10L, found, "damaged replicas");
            equal(found, store.scrub().damagedReplicas(), "damaged replicas of a second scrub");
        }
    }

    private static void lost(Communicator world) {
        try (ReStore store = submitted(world, 2)) {
            for (int replica = 0; replica < store.placement().replication(); replica++) {
                flip(store, 120, replica);
            }
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> CONTENT.pullAndCheck(store, EVERYTHING), "a pull");
            BlockRanges lost = loss.lostBlocks();
            holds(lost.contains(120) && lost.blockCount() <= RANGE_BLOCKS, "blocks of one chunk: " + lost);
            equal(lost, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING.minus(lost));
            store.replenish();
            equal(lost, store.lostBlocks(), "lost blocks after a replenishment");
            throwing(IrrecoverableDataLossException.class, () -> store.pull(BlockRanges.of(120, 1), (id, block) -> {}),
                    "a pull after a replenishment");
            store.submit(ownRun(world, BLOCKS), CONTENT::write);
            CONTENT.pullAndCheck(store, EVERYTHING);
            equal(0, damagedReplicas(store), "damaged replicas of a new generation");
        }
    }

    private static void changedDamage(Communicator world) {
        try (ReStore store = submitted(world, 2)) {
            flip(store, 120, 0);
            // Another block of the same permutation range.
            TestBlocks newer = new TestBlocks(13, 2);
            store.submitChanges(world.rank() == 0
                    ? new Submission().add(BlockRange.of(121, 1), newer::write)
                    : new Submission());
            newer.pullAndCheck(store, BlockRanges.of(121, 1));
            CONTENT.pullAndCheck(store, EVERYTHING.minus(BlockRanges.of(121, 1)));
            store.replenish();
            equal(0L, store.scrub().damagedReplicas(), "damaged replicas");
            CONTENT.pullAndCheck(store, EVERYTHING.minus(BlockRanges.of(121, 1)));
        }
    }

    private static void changeOfLost(Communicator world) {
        for (int replication = 1; replication <= Math.min(2, world.size()); replication++) {
            TestBlocks newer = new TestBlocks(13, 2);
            Submission change = world.rank() == 0
                    ? new Submission().add(BlockRange.of(121, 1), newer::write)
                    : new Submission();
            try (ReStore store = submitted(world, replication)) {
                flipAllReplicas(store, 120);
                requireRefusal(store, () -> store.submitChanges(change));
                CONTENT.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
                store.submit(ownRun(world, BLOCKS), newer::write);
                newer.pullAndCheck(store, EVERYTHING);
            }
        }
    }

    private static void stagedChangeOfLost(Communicator world) {
        TestBlocks newer = new TestBlocks(13, 3);
        Submission change = world.rank() == 0
                ? new Submission().add(BlockRange.of(121, 1), newer::write)
                : new Submission();
        try (ReStore store = submitted(world, 2)) {
            flipAllReplicas(store, 120);
            requireRefusal(store, () -> store.stageChanges(change));
            CONTENT.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
            store.submit(ownRun(world, BLOCKS), newer::write);
            newer.pullAndCheck(store, EVERYTHING);
        }
    }

    /** Of the last replica nobody knows that it is damaged. */
    private static void flipAllReplicas(ReStore store, long blockId) {
        int last = store.placement().replication() - 1;
        for (int replica = 0; replica < last; replica++) {
            flip(store, blockId, replica);
        }
        equal((long) last, store.scrub().damagedReplicas(), "damaged replicas that are known");
        flip(store, blockId, last);
    }

    /** Of a change of block 121 of the first generation, whose chunk is lost. */
    private static void requireRefusal(ReStore store, Runnable change) {
        equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks that are known");
        String message = String
                .valueOf(throwing(InvalidSubmissionException.class, change::run, "a change of a lost block")
                        .getMessage());
        BlockRanges lost = store.lostBlocks();
        holds(message.contains("has a sound replica of the blocks " + lost), message);
        holds(lost.contains(121) && lost.blockCount() <= RANGE_BLOCKS, "blocks of one chunk: " + lost);
        equal(1L, store.generation(), "generation");
        equal(0L, store.report().memory().stagedBytes(), "staged bytes");
    }
}

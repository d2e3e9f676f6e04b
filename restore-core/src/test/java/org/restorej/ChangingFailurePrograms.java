package org.restorej;

import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.HealingStorePrograms.sumOverPes;
import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.List;
import java.util.stream.IntStream;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.Placement;

/** What the store promises for sized, changed and checked blocks when PEs die. */
public final class ChangingFailurePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("changesReachTheHoldersThatAreLeft", 4, ChangingFailurePrograms::changesAfterFailures),
            new ContractProgram("recoverGivesUpWhatIsStaged", 3, ChangingFailurePrograms::stagedAtFailure),
            new ContractProgram("aChangeAfterAFailureThatFindsItsBlockLostIsRefused", 4,
                    ChangingFailurePrograms::changeBesideUnknownDamage),
            new ContractProgram("lostBlocksCannotBeChangedOneByOne", 3, ChangingFailurePrograms::changeOfLostBlocks));

    private static final long BLOCKS = 240;
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world, int replication) {
        return ReStore.builder(world).blocks(BLOCKS).permutationRangeBlocks(6).ringPoints(3).replication(replication);
    }

    private static void changesAfterFailures(Communicator world) {
        TestBlocks old = new TestBlocks(12, 1);
        TestBlocks newer = new TestBlocks(12, 2);
        try (ReStore store = builder(world, 3).blockSizeBytes(12).build()) {
            store.submit(ownRun(world, BLOCKS), old::write);
            Communicator comm = kill(world, 0);
            store.recover(comm);
            changeFirstTwenty(comm, store, newer);
            newer.pullAndCheck(store, BlockRanges.of(0, 20));
            store.replenish();
            changeFirstTwenty(comm, store, new TestBlocks(12, 3));
            comm = kill(comm, 0);
            store.recover(comm);
            new TestBlocks(12, 3).pullAndCheck(store, BlockRanges.of(0, 20));
            old.pullAndCheck(store, BlockRanges.of(20, BLOCKS - 20));
            equal(0L, store.scrub().damagedReplicas(), "damaged replicas");
        }
    }

    private static void changeFirstTwenty(Communicator comm, ReStore store, TestBlocks content) {
        BlockRange part = new Placement(comm.size(), 20, 1).blocksIn(comm.rank()) == 0
                ? BlockRange.of(0, 0)
                : BlockRange.of(new Placement(comm.size(), 20, 1).firstPosition(comm.rank()),
                        new Placement(comm.size(), 20, 1).blocksIn(comm.rank()));
        store.submitChanges(new Submission().add(part, content::write));
        comm.agree(0);
    }

    private static void stagedAtFailure(Communicator world) {
        TestBlocks old = new TestBlocks(12, 1);
        try (ReStore store = builder(world, 2).blockSizeBytes(12).build()) {
            store.submit(ownRun(world, BLOCKS), old::write);
            StagedSubmission staged = store.stage(new Submission().add(ownRun(world, BLOCKS),
                    new TestBlocks(12, 2)::write));
            world.agree(0);
            Communicator comm = kill(world, 1);
            store.recover(comm);
            throwing(IllegalStateException.class, () -> StagedSubmission.commitTogether(List.of(staged)), "commit");
            old.pullAndCheck(store, EVERYTHING);
            equal(1L, store.generation(), "generation");
            store.replenish();
        }
    }

    /** Block 1, of which one holder is alive, is changed, beside a block of the same chunk that is damaged there. */
    private static void changeBesideUnknownDamage(Communicator world) {
        TestBlocks content = new TestBlocks(12, 1);
        try (ReStore store = builder(world, 3).blockSizeBytes(12).build()) {
            store.submit(ownRun(world, BLOCKS), content::write);
            int range = IntStream.range(0, store.placement().peCount()).filter(each -> store.blocksIn(each).contains(0))
                    .findFirst().orElseThrow();
            Communicator comm = kill(world, store.placement().holder(range, 0), store.placement().holder(range, 1));
            store.recover(comm);
            equal(1L, sumOverPes(comm, CheckedStorePrograms.flip(store, 0, 2) ? 1 : 0), "flipped bits");
            Submission change = comm.rank() == 0
                    ? new Submission().add(BlockRange.of(1, 1), new TestBlocks(12, 3)::write)
                    : new Submission();
            throwing(InvalidSubmissionException.class, () -> store.submitChanges(change), "a change of a lost block");
            equal(1L, store.generation(), "generation");
            BlockRanges lost = store.lostBlocks();
            holds(lost.contains(0) && lost.contains(1), "lost blocks: " + lost);
            content.pullAndCheck(store, EVERYTHING.minus(lost));
        }
    }

    private static void changeOfLostBlocks(Communicator world) {
        TestBlocks content = new TestBlocks(12, 1);
        try (ReStore store = builder(world, 1).blockSizeBytes(12).build()) {
            store.submit(ownRun(world, BLOCKS), content::write);
            world.agree(0);
            Communicator comm = kill(world, 1);
            store.recover(comm);
            long lost = store.lostBlocks().blockAt(0);
            Submission changed = comm.rank() == 0
                    ? new Submission().add(BlockRange.of(lost, 1), content::write)
                    : new Submission();
            String message = String.valueOf(throwing(InvalidSubmissionException.class,
                    () -> store.submitChanges(changed), "a change of a lost block").getMessage());
            holds(message.contains("no surviving PE has a sound replica of the blocks {" + lost + "}"), message);
            content.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
            store.submit(ownRun(comm, BLOCKS), content::write);
            content.pullAndCheck(store, EVERYTHING);
        }
    }
}

package org.restorej;

import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.report.StoreReport.Operation;

/** What the store promises when only some blocks change, and when several data sets change together. */
public final class ChangingStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("changedBlocksAreNewAndTheOthersCarryOver", 1, ChangingStorePrograms::carryOver),
            new ContractProgram("blocksOfDifferentSizesAreSubmittedTogether", 1, ChangingStorePrograms::otherSizes),
            new ContractProgram("onlyChangedBlocksAreSentAndStaged", 1, ChangingStorePrograms::onlyChanges),
            new ContractProgram("wrongChangesAreRefusedAndHarmNothing", 1, ChangingStorePrograms::wrongChanges),
            new ContractProgram("severalStoresLiveOnOneCommunicator", 1, ChangingStorePrograms::severalStores),
            new ContractProgram("dataSetsBecomeNewTogether", 1, ChangingStorePrograms::together),
            new ContractProgram("aDiscardedSubmissionLeavesNothing", 1, ChangingStorePrograms::discarded));

    private static final long BLOCKS = 211;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).replication(Math.min(3, world.size())).permutationRangeBlocks(6);
    }

    private static void submit(Communicator world, ReStore store, TestBlocks content) {
        store.submit(ownRun(world, BLOCKS), content::write);
    }

    /** Every id that a seeded coin chooses, each to be submitted by one PE. */
    private static boolean changes(long id, long seed) {
        return new Random(id * 31 + seed).nextInt(4) == 0;
    }

    private static void carryOver(Communicator world) {
        long[] versions = new long[(int) BLOCKS];
        try (ReStore store = builder(world).blockSizeBytes(20).build()) {
            submit(world, store, new TestBlocks(20, 0));
            for (long version = 1; version <= 4; version++) {
                Submission changed = new Submission();
                for (long id = 0; id < BLOCKS; id++) {
                    if (changes(id, version)) {
                        versions[(int) id] = version;
                        if (id % world.size() == world.rank()) {
                            changed.add(BlockRange.of(id, 1), new TestBlocks(20, version)::write);
                        }
                    }
                }
                equal(version + 1, store.submitChanges(changed), "generation");
                store.pull(BlockRanges.of(0, BLOCKS),
                        (id, block) -> new TestBlocks(20, versions[(int) id]).check(id, block));
                equal(0L, store.scrub().damagedReplicas(), "damaged replicas");
            }
        }
    }

    private static void otherSizes(Communicator world) {
        SizedBlocks content = new SizedBlocks(30, 0);
        try (ReStore store = builder(world).variableBlockSizes(20).build()) {
            VariableStorePrograms.submitOwnRun(world, store, BLOCKS, content);
            Submission changed = new Submission().add(BlockRange.of(world.rank(), 1), content.sizes(), content::write);
            for (Consumer<Submission> call : List.<Consumer<Submission>>of(store::submitChanges, store::stageChanges)) {
                String message = String.valueOf(throwing(IllegalStateException.class, () -> call.accept(changed),
                        "changes of blocks of different sizes").getMessage());
                holds(message.contains("blocks of different sizes: submit all blocks"), message);
            }
            equal(1L, store.generation(), "generation");
            content.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    private static void onlyChanges(Communicator world) {
        try (ReStore store = builder(world).blockSizeBytes(1000).build()) {
            submit(world, store, new TestBlocks(1000, 0));
            boolean mine = world.rank() == world.size() - 1;
            Submission changed = new Submission();
            if (mine) {
                changed.add(BlockRange.of(10, 2), new TestBlocks(1000, 1)::write);
            }
            StagedSubmission staged = store.stageChanges(changed);
            long[] bytes = {store.report().memory().stagedBytes(),
                    store.report().totals(Operation.SUBMIT_CHANGES).sentBytes()};
            world.allReduce(bytes, Reduction.SUM);
            equal(2000L * store.placement().replication(), bytes[0], "staged bytes of all PEs");
            holds(bytes[1] <= 2000L * store.placement().replication(), "bytes sent by all PEs: " + bytes[1]);
            staged.discard();
            equal(0L, store.report().memory().stagedBytes(), "staged bytes after the end");
        }
    }

    private static void wrongChanges(Communicator world) {
        TestBlocks content = new TestBlocks(8, 1);
        try (ReStore store = builder(world).blockSizeBytes(8).build()) {
            throwing(IllegalStateException.class, () -> store.submitChanges(new Submission()), "before any submit");
            submit(world, store, content);
            Submission twice = new Submission().add(BlockRange.of(7, 1), content::write);
            if (world.rank() == 0) {
                twice.add(BlockRange.of(7, 1), content::write);
            }
            String message = String.valueOf(throwing(InvalidSubmissionException.class, () -> store.submitChanges(twice),
                    "a block changed twice").getMessage());
            holds(message.contains("more than once: {7}"), message);
            equal(1L, store.generation(), "generation");
            content.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            equal(2L, store.submitChanges(new Submission()), "generation without any change");
            content.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    private static void severalStores(Communicator world) {
        TestBlocks small = new TestBlocks(4, 1);
        SizedBlocks sized = new SizedBlocks(50, 2);
        try (ReStore first = builder(world).blockSizeBytes(4).build();
                ReStore second = builder(world).variableBlockSizes(25).seed(5).build();
                Arena arena = Arena.ofShared()) {
            submit(world, first, small);
            VariableStorePrograms.submitOwnRun(world, second, BLOCKS, sized);
            MemorySegment memory = arena.allocate(4 * BLOCKS);
            first.pull(BlockRanges.of(0, BLOCKS), memory);
            small.checkAll(BlockRanges.of(0, BLOCKS), memory);
            sized.pullAndCheck(second, BlockRanges.of(0, BLOCKS));
            small.pullAndCheck(first, BlockRanges.of(3, 100));
        }
    }

    private static void together(Communicator world) {
        try (ReStore rows = builder(world).blockSizeBytes(16).build();
                ReStore tree = builder(world).variableBlockSizes(25).build()) {
            submit(world, rows, new TestBlocks(16, 1));
            equal(1L, rows.generation(), "generation of the first");
            SizedBlocks sized = new SizedBlocks(50, 9);
            StagedSubmission first = rows.stageChanges(world.rank() == 0
                    ? new Submission().add(BlockRange.of(0, 3), new TestBlocks(16, 2)::write)
                    : new Submission());
            StagedSubmission second = tree.stage(
                    new Submission().add(ownRun(world, BLOCKS), sized.sizes(), sized::write));
            new TestBlocks(16, 1).pullAndCheck(rows, BlockRanges.of(0, BLOCKS));
            throwing(IllegalStateException.class, () -> tree.pull(BlockRanges.EMPTY, (id, block) -> {}),
                    "nothing committed yet");
            throwing(IllegalStateException.class, () -> rows.submit(new Submission()), "a submit beside a staged one");
            throwing(IllegalArgumentException.class, () -> StagedSubmission.commitTogether(List.of(first, first)),
                    "the same store twice");
            equal(2L, StagedSubmission.commitTogether(List.of(first, second)), "number");
            equal(2L, rows.generation(), "generation of the first");
            equal(2L, tree.generation(), "generation of the second");
            new TestBlocks(16, 2).pullAndCheck(rows, BlockRanges.of(0, 3));
            new TestBlocks(16, 1).pullAndCheck(rows, BlockRanges.of(3, BLOCKS - 3));
            sized.pullAndCheck(tree, BlockRanges.of(0, BLOCKS));
            throwing(IllegalStateException.class, () -> StagedSubmission.commitTogether(List.of(first)),
                    "a second commit");
        }
    }

    private static void discarded(Communicator world) {
        TestBlocks old = new TestBlocks(16, 1);
        try (ReStore store = builder(world).blockSizeBytes(16).build()) {
            submit(world, store, old);
            StagedSubmission staged = store.stage(new Submission().add(ownRun(world, BLOCKS),
                    new TestBlocks(16, 2)::write));
            staged.discard();
            old.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            throwing(IllegalStateException.class, () -> StagedSubmission.commitTogether(List.of(staged)), "commit");
            submit(world, store, new TestBlocks(16, 3));
            equal(2L, store.generation(), "generation");
            new TestBlocks(16, 3).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }
}

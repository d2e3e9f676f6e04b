package org.restorej.crash;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.CheckedStorePrograms;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.SizedBlocks;
import org.restorej.StagedSubmission;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.placement.Placement;

/** The stores of a program in which PEs may die anywhere, and what must be in them. */
final class CrashData implements AutoCloseable {
    /** The block with a damaged replica. */
    private static final long DAMAGED = 17;

    private static final int BLOCKS = 61;
    private static final int BLOCK_BYTES = 3;
    private static final BlockRange CHANGED = BlockRange.of(10, 23);

    private final CrashScenario scenario;
    private final List<ReStore> stores = new ArrayList<>();

    private CrashData(CrashScenario scenario) {
        this.scenario = scenario;
    }

    static CrashData build(Communicator world, CrashScenario scenario) {
        CrashData data = new CrashData(scenario);
        int stores = scenario.operation().hasTwoStores() ? 2 : 1;
        for (int i = 0; i < stores; i++) {
            ReStoreBuilder builder = ReStore.builder(world).blocks(BLOCKS).permutationRangeBlocks(4).ringPoints(3)
                    .seed(1L + i);
            if (scenario.parityParts() > 0) {
                builder.coded(scenario.replication() - scenario.parityParts(), scenario.parityParts());
            } else {
                builder.replication(scenario.replication());
            }
            data.stores.add((data.isSized()
                    ? builder.variableBlockSizes(BLOCK_BYTES)
                    : builder.blockSizeBytes(BLOCK_BYTES)).build());
        }
        return data;
    }

    private boolean isSized() {
        return scenario.operation().isSized();
    }

    void submit(Communicator comm, long version) {
        stores.forEach(store -> store.submit(part(comm, BlockRange.of(0, BLOCKS), version)));
    }

    void change(Communicator comm, long version) {
        stores.getFirst().submitChanges(part(comm, CHANGED, version));
    }

    void commitTogether(Communicator comm, long version) {
        List<StagedSubmission> staged = new ArrayList<>();
        for (ReStore store : stores) {
            staged.add(store.stage(part(comm, BlockRange.of(0, BLOCKS), version)));
        }
        StagedSubmission.commitTogether(staged);
    }

    void submitMeanwhile(Communicator comm, long version) {
        awaitAfterMessages(comm, stores.getFirst().submitAsync(part(comm, BlockRange.of(0, BLOCKS), version)));
    }

    void commitMeanwhile(Communicator comm, long version) {
        List<PendingOperation<StagedSubmission>> pending = new ArrayList<>();
        for (ReStore store : stores) {
            pending.add(store.stageAsync(part(comm, BlockRange.of(0, BLOCKS), version)));
        }
        communicate(comm);
        StagedSubmission.commitTogether(pending.stream().map(PendingOperation::await).toList());
    }

    void replenishMeanwhile(Communicator comm) {
        awaitAfterMessages(comm, stores.getFirst().replenishAsync());
    }

    private static <T> T awaitAfterMessages(Communicator comm, PendingOperation<T> pending) {
        communicate(comm);
        return pending.await();
    }

    /** The application's own; whatever becomes of them, it asks afterwards what has become of the operation. */
    private static void communicate(Communicator comm) {
        try {
            for (long round = 0; round < 3; round++) {
                equal(comm.size() * round, comm.allReduce(round, Reduction.SUM), "sum of the application");
            }
        } catch (CommunicationFailedException failure) {
            comm.revoke();
        }
    }

    /** Of some blocks every PE submits the share of the next one. */
    private Submission part(Communicator comm, BlockRange of, long version) {
        Placement runs = new Placement(comm.size(), of.count(), 1);
        int next = (comm.rank() + 1) % comm.size();
        BlockRange run = BlockRange.of(of.first() + runs.firstPosition(next), runs.blocksIn(next));
        if (isSized()) {
            SizedBlocks content = new SizedBlocks(BLOCK_BYTES, version);
            return new Submission().add(run, content.sizes(), content::write);
        }
        return new Submission().add(run, new TestBlocks(BLOCK_BYTES, version)::write);
    }

    void recover(Communicator comm) {
        stores.forEach(store -> store.recover(comm));
    }

    void replenish() {
        stores.forEach(ReStore::replenish);
    }

    void damageOneReplica() {
        CheckedStorePrograms.flip(stores.getFirst(), DAMAGED, 0);
    }

    /** Everybody wants the block with the damaged replica, too, and a holder serves itself: so the damage is found. */
    void checkPulledOfDamaged(BlockRanges wanted) {
        checkPulled(wanted.union(BlockRanges.of(DAMAGED, 1)));
        int damaged = stores.getFirst().report().damagedReplicas();
        // The PE that has it may be the one that fails.
        holds(damaged == 1 || (damaged == 0 && scenario.failures() > 0), "one damaged replica is found: " + damaged);
    }

    void scrubAndRepair() {
        long damaged = stores.getFirst().scrub().damagedReplicas();
        // The PE that has it may be the one that fails.
        holds(damaged == 1 || (damaged == 0 && scenario.failures() > 0), "one damaged replica: " + damaged);
        stores.getFirst().replenish();
    }

    /** Of both stores, which must be the same. */
    long generation() {
        stores.forEach(store -> equal(stores.getFirst().generation(), store.generation(), "generation"));
        return stores.getFirst().generation();
    }

    private void check(ReStore store, long id, MemorySegment block) {
        boolean old = scenario.operation().changesBlocks() && (id < CHANGED.first() || id >= CHANGED.end());
        long version = old ? 1 : store.generation();
        if (isSized()) {
            new SizedBlocks(BLOCK_BYTES, version).check(id, block);
        } else {
            new TestBlocks(BLOCK_BYTES, version).check(id, block);
        }
    }

    void checkPulled(BlockRanges wanted) {
        readable(() -> stores.getFirst().pull(wanted, (id, block) -> check(stores.getFirst(), id, block)));
    }

    /** The only replica of a block may be the damaged one. */
    private void readable(Runnable read) {
        try {
            read.run();
        } catch (IrrecoverableDataLossException loss) {
            holds(scenario.redundancy() == 1 && loss.lostBlocks().contains(DAMAGED), "no loss: " + loss.getMessage());
        }
    }

    /** Reads all blocks of all stores; returns which are lost. */
    BlockRanges checkAll(int failures) {
        BlockRanges lost = BlockRanges.EMPTY;
        for (ReStore store : stores) {
            lost = lost.union(checkAll(store, failures));
        }
        generation();
        return lost;
    }

    private BlockRanges checkAll(ReStore store, int failures) {
        BlockRanges all = BlockRanges.of(0, BLOCKS);
        int damaged = store.report().damagedReplicas();
        try {
            store.pull(all, (id, block) -> check(store, id, block));
        } catch (IrrecoverableDataLossException loss) {
            boolean damage = damaged + store.report().damagedReplicas() > 0;
            holds(failures + (damage ? 1 : 0) >= scenario.redundancy(), "no loss before so many have failed: "
                    + loss.getMessage());
            equal(store.lostBlocks(), loss.lostBlocks(), "lost blocks");
            store.pull(all.minus(loss.lostBlocks()), (id, block) -> check(store, id, block));
            return loss.lostBlocks();
        }
        equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
        return BlockRanges.EMPTY;
    }

    @Override
    public void close() {
        stores.forEach(ReStore::close);
    }
}

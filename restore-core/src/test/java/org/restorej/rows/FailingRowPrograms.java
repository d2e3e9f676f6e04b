package org.restorej.rows;

import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.HealingStorePrograms.sumOverPes;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.rows.RowPrograms.ownRows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;

/** What rows in arrays promise when PEs die. */
public final class FailingRowPrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aLoopAddsTheRowsOfTheFailed", 3, FailingRowPrograms::loop),
            new ContractProgram("rowsOfTheFailedArePulledAndSubmittedAnewByHand", 4, FailingRowPrograms::byHand));

    private static final int ROWS = 47;
    private static final TestRows<float[]> CONTENT = new TestRows<>(ArrayKind.FLOATS, 3, 1);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReplicatedArray<float[]> array(Communicator world) {
        ReStoreBuilder builder = ReStore.builder(world).replication(Math.min(3, world.size()))
                .permutationRangeBlocks(2);
        return ReplicatedArray.ofFloats(builder, ROWS, CONTENT.rowLength());
    }

    /** PEs die, one in each step, until one is left; it then has all rows, and knows which is which. */
    private static void loop(Communicator world) {
        long all = fingerprint(BlockRanges.of(0, ROWS), CONTENT.of(BlockRanges.of(0, ROWS)));
        try (ReplicatedArray<float[]> array = array(world);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), ROWS),
                        CheckpointInterval.iterations(1))) {
            LocalRows<float[]> mine = loop.keep(array.constant(CONTENT::of));
            loop.evaluate(Communicator::size);
            for (int step = 1; step < world.size(); step++) {
                int left = world.size() - step;
                long sum = loop.evaluate(comm -> {
                    if (comm.size() > left) {
                        // The first, then the last, in turn: rank 0 fails too.
                        FailureSimulation.of(comm).fail(left % 2 == 0 ? 0 : comm.size() - 1);
                    }
                    long[] sums = {fingerprint(mine.ids(), mine.values())};
                    comm.allReduce(sums, Reduction.SUM);
                    return sums[0];
                });
                equal(all, sum, "sum over all rows");
                equal(left, loop.communicator().size(), "PEs left");
                equal(loop.blocks(), mine.ids(), "rows of this PE");
                equal((int) loop.blocks().blockCount(), mine.count(), "number of rows");
                CONTENT.check(mine.ids(), mine.values());
            }
            equal(BlockRanges.of(0, ROWS), mine.ids(), "rows of the last PE");
        }
    }

    /** Depends on every element and on which row it belongs to, but not on the order of rows. */
    private static long fingerprint(BlockRanges rows, float[] values) {
        long sum = 0;
        for (int position = 0; position < rows.blockCount(); position++) {
            long mixed = rows.blockAt(position);
            for (int column = 0; column < CONTENT.rowLength(); column++) {
                mixed = mixed * 31 + MemorySegment.ofArray(values)
                        .getAtIndex(ValueLayout.JAVA_INT,
                                (long) position * CONTENT.rowLength() + column);
            }
            sum += mixed * 0x9E3779B97F4A7C15L;
        }
        return sum;
    }

    private static void byHand(Communicator world) {
        LoadBalancer balancer = LoadBalancer.equal(world.size(), ROWS);
        try (ReplicatedArray<float[]> array = array(world)) {
            BlockRanges had = ownRows(world, ROWS);
            array.submit(had, CONTENT.of(had));
            Communicator comm = world;
            for (int round = 2; round <= 3; round++) {
                TestRows<float[]> before = CONTENT.inVersion(round - 1);
                comm = kill(comm, round == 2 ? 1 : comm.size() - 1);
                array.store().recover(comm);
                equal(round - 1, array.store().failedRanks().size(), "failed ranks");
                BlockRanges share = balancer.rebalance(array.store().failedRanks()).blocksOf(array.store().rank());
                BlockRanges gained = share.minus(had);
                before.check(gained, array.pull(gained));
                had = share;
                balancer.commit();
                equal((long) ROWS, sumOverPes(comm, share.blockCount()), "rows of all PEs together");
                array.store().replenish();
                equal((long) round, array.submit(share, CONTENT.inVersion(round).of(share)), "generation");
                CONTENT.inVersion(round).check(BlockRanges.of(0, ROWS), array.pull(BlockRanges.of(0, ROWS)));
            }
        }
    }
}

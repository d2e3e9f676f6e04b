package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.FailingStorePrograms.positions;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;
import org.restorej.placement.StoreRank;

/** What replenishing promises: K replicas again, for the price of those that were lost. */
public final class HealingStorePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("failuresAndReplenishmentsComposeDownToOnePe", 3,
                    HealingStorePrograms::downToOnePe),
            new ContractProgram("whatWasLostBeforeAReplenishmentStaysLostAndTheRestIsHealed", 5,
                    HealingStorePrograms::lostStaysLost),
            new ContractProgram("aClosedStoreSaysSoAfterAFailureToo", 2, HealingStorePrograms::closedAfterAFailure),
            new ContractProgram("recoverWithAFailedPeNamesItAndCanBeRepeated", 3,
                    HealingStorePrograms::recoverWithAFailedPe));

    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore store(Communicator world, int replication) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(replication).permutationRangeBlocks(7).ringPoints(5).build();
        submit(world, store, CONTENT);
        return store;
    }

    /** A sum that every PE has before any of them goes on, and may die. */
    public static long sumOverPes(Communicator comm, long mine) {
        long[] sum = {mine};
        comm.allReduce(sum, Reduction.SUM);
        comm.agree(0);
        return sum[0];
    }

    private static void downToOnePe(Communicator world) {
        int replication = 3;
        try (ReStore store = store(world, replication)) {
            Communicator comm = world;
            int round = 0;
            while (comm.size() > 1) {
                // One and two of them in turn, from either end: rank 0 fails too.
                int last = comm.size() - 1;
                int[] victims = round % 2 == 0 || last == 1 ? new int[]{round % 4 == 0 ? 0 : last} : new int[]{0, last};
                round++;
                comm = killAndReplenish(comm, store, replication, victims);
            }
        }
    }

    private static Communicator killAndReplenish(Communicator before, ReStore store, int replication,
            int... victims) {
        boolean fails = IntStream.of(victims).anyMatch(victim -> victim == before.rank());
        long left = sumOverPes(before, fails ? 0 : store.replicaBytes());
        Communicator comm = kill(before, victims);
        store.recover(comm);
        long moved = sumOverPes(comm, store.replenish());
        long healed = Math.min(replication, comm.size()) * BLOCKS * CONTENT.blockSizeBytes();
        equal(healed - left, moved, "bytes received by " + comm.size() + " PEs");
        equal(healed, sumOverPes(comm, store.replicaBytes()), "bytes of all replicas");
        equal(0L, sumOverPes(comm, store.replenish()), "bytes received in a second replenishment");
        equal(healed, sumOverPes(comm, store.replicaBytes()), "bytes of all replicas after it");
        CONTENT.pullAndCheck(store, EVERYTHING);
        return comm;
    }

    private static void lostStaysLost(Communicator world) {
        try (ReStore store = store(world, 2)) {
            Placement placement = store.placement();
            // The holders of range 0, and one more, whose ranges have another holder.
            Communicator comm = kill(world, 0, placement.shift(), 1);
            store.recover(comm);
            BlockRanges lost = BlockRanges.EMPTY;
            for (int range : new int[]{0, placement.shift()}) {
                // With an even P the two hold each other's ranges, otherwise only the first is lost.
                if ((range + placement.shift()) % world.size() == 0 || range == 0) {
                    lost = lost.union(positions(store, placement.firstPosition(range),
                            placement.firstPosition(range + 1)));
                }
            }
            checkLoss(store, lost);
            holds(sumOverPes(comm, store.replenish()) > 0, "what is left is healed");
            checkLoss(store, lost);
            while (comm.size() > 1) {
                comm = kill(comm, comm.size() - 1);
                store.recover(comm);
                checkLoss(store, lost);
                store.replenish();
                equal(0L, sumOverPes(comm, store.replenish()), "bytes received in a second replenishment");
                checkLoss(store, lost);
            }
            TestBlocks newer = new TestBlocks(CONTENT.blockSizeBytes(), 2);
            submit(comm, store, newer);
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks of a new generation");
            newer.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void checkLoss(ReStore store, BlockRanges lost) {
        equal(lost, store.lostBlocks(), "lost blocks");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BLOCKS * CONTENT.blockSizeBytes());
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> store.pull(EVERYTHING, memory), "a pull of lost blocks");
            equal(lost, loss.lostBlocks(), "lost blocks of the exception");
        }
        CONTENT.pullAndCheck(store, EVERYTHING.minus(lost));
    }

    private static void closedAfterAFailure(Communicator world) {
        ReStore store = store(world, 2);
        Communicator comm = kill(world, world.size() - 1);
        store.recover(comm);
        store.close();
        String closed = "the store is closed";
        equal(closed, throwing(IllegalStateException.class, store::replenish, "replenish").getMessage(), "message");
        equal(closed, throwing(IllegalStateException.class, () -> store.recover(comm), "recover").getMessage(),
                "message");
        equal(closed, throwing(IllegalStateException.class, () -> store.pull(EVERYTHING, (id, block) -> {}),
                "pull by consumer").getMessage(), "message");
        equal(closed, throwing(IllegalStateException.class,
                () -> store.submit(BlockRange.of(0, 1), CONTENT::write), "submit").getMessage(), "message");
        // What is computed can still be asked.
        equal(FailedRanks.of(world.size() - 1), store.failedRanks(), "failed ranks");
        equal(StoreRank.of(world.rank()), store.rank(), "store rank");
        equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
        equal(1L, store.generation(), "generation");
        store.close();
    }

    private static void recoverWithAFailedPe(Communicator world) {
        try (ReStore store = store(world, 2)) {
            FailureSimulation.of(world).fail(1);
            ProcessFailedException failure = throwing(ProcessFailedException.class, () -> store.recover(world),
                    "recover with a communicator in which one has failed");
            equal(FailedRanks.NONE, store.failedRanks(), "failed ranks after a refused recovery");
            OriginalRank failed = OriginalRank.of(world.ranks().originalRankOf(1));
            Communicator comm = world.shrink();
            // A failure is known to those who have met it, so not every survivor can name it before the shrink.
            holds(sumOverPes(comm, failure.failedRanks().contains(failed) ? 1 : 0) > 0, "the failed PE is named");
            holds(failure.failedRanks().stream().allMatch(failed::equals), "nobody else is: " + failure.getMessage());
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }
}

package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.HealingStorePrograms.sumOverPes;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;

/** What spares promise: they idle, take the places of the failed in order, and the application keeps its size. */
public final class SpareStorePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("sparesTakeThePlacesOfTheFailedInOrder", 4, SpareStorePrograms::inOrder),
            new ContractProgram("anIdleSpareHasNoRankAndNoDataButTakesPart", 4, SpareStorePrograms::idle),
            new ContractProgram("whenSparesAreUsedUpReplicasGoToTheRing", 4, SpareStorePrograms::usedUp),
            new ContractProgram("aSpareThatFailsIdleIsMissedByNobody", 4, SpareStorePrograms::failsIdle),
            new ContractProgram("aSpareThatTookOverMayDieToo", 4, SpareStorePrograms::failsInPlace),
            new ContractProgram("aSpareMayDieBeforeItIsFilled", 4, SpareStorePrograms::failsUnfilled));

    private static final int SPARES = 2;
    private static final int REPLICATION = 2;
    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore store(Communicator world) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(REPLICATION).permutationRangeBlocks(7).ringPoints(5).spares(SPARES).build();
        submit(world, store, CONTENT);
        return store;
    }

    /** Kills the processes that have these original ranks in the store, and recovers. */
    private static Communicator killOwners(Communicator comm, ReStore store, int... originalRanks) {
        int[] owners = new int[originalRanks.length];
        for (int i = 0; i < owners.length; i++) {
            boolean mine = !store.isIdleSpare() && store.rank().value() == originalRanks[i];
            owners[i] = (int) sumOverPes(comm, mine ? comm.rank() : 0);
        }
        Communicator survivors = kill(comm, owners);
        store.recover(survivors);
        return survivors;
    }

    private static long bytesHeldBy(ReStore store, int originalRank) {
        long blocks = 0;
        for (int replica = 0; replica < REPLICATION; replica++) {
            blocks += store.placement().blocksIn(store.placement().rangeHeldBy(originalRank, replica));
        }
        return blocks * CONTENT.blockSizeBytes();
    }

    /** Replenishes, and checks that nobody but the PEs in these places has received anything. */
    private static void replenishPlaces(Communicator comm, ReStore store, int... places) {
        long expected = 0;
        boolean inPlace = false;
        for (int place : places) {
            expected += bytesHeldBy(store, place);
            inPlace |= !store.isIdleSpare() && store.rank().value() == place;
        }
        long received = store.replenish();
        equal(inPlace ? bytesHeldBy(store, store.rank().value()) : 0L, received, "bytes received");
        equal(expected, sumOverPes(comm, received), "bytes received by all");
        equal(0L, sumOverPes(comm, store.replenish()), "bytes received in a second replenishment");
    }

    private static void checkSizeKept(Communicator comm, ReStore store) {
        int peCount = store.placement().peCount();
        long active = sumOverPes(comm, store.isIdleSpare() ? 0 : 1);
        long ranks = sumOverPes(comm, store.isIdleSpare() ? 0 : 1L << store.rank().value());
        equal((long) peCount, active, "size of the application");
        equal((1L << peCount) - 1, ranks, "original ranks in use");
        equal(FailedRanks.NONE, store.failedRanks(), "failed ranks");
        equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
    }

    /** Every PE, idle ones too, reads. */
    private static void checkReadable(ReStore store, TestBlocks content) {
        content.pullAndCheck(store, EVERYTHING);
    }

    private static void idle(Communicator world) {
        int peCount = world.size() - SPARES;
        try (ReStore store = store(world)) {
            equal(peCount, store.placement().peCount(), "P");
            boolean spare = world.rank() >= peCount;
            equal(spare, store.isIdleSpare(), "idle spare");
            if (spare) {
                throwing(IllegalStateException.class, store::rank, "store rank of an idle spare");
                equal(0L, store.replicaBytes(), "bytes of an idle spare's replicas");
            } else {
                equal(StoreRank.of(world.rank()), store.rank(), "store rank");
                equal(bytesHeldBy(store, world.rank()), store.replicaBytes(), "bytes of replicas");
            }
            checkReadable(store, CONTENT);
            equal(0L, sumOverPes(world, store.replenish()), "bytes received with nobody failed");
            // Only so that, like every program of this suite, this one ends with fewer PEs than it began with.
            store.recover(kill(world, world.size() - 1));
            checkReadable(store, CONTENT);
        }
    }

    private static void inOrder(Communicator world) {
        int peCount = world.size() - SPARES;
        try (ReStore store = store(world)) {
            Communicator comm = killOwners(world, store, 1);
            checkTaken(world, store, peCount, 1);
            holds(world.rank() != peCount + 1 || store.isIdleSpare(), "the second spare waits");
            checkReadable(store, CONTENT);
            replenishPlaces(comm, store, 1);
            checkReadable(store, CONTENT);
            checkSizeKept(comm, store);
            comm = killOwners(comm, store, 0);
            checkTaken(world, store, peCount, 1);
            checkTaken(world, store, peCount + 1, 0);
            replenishPlaces(comm, store, 0);
            checkReadable(store, CONTENT);
            checkSizeKept(comm, store);
            equal(bytesHeldBy(store, store.rank().value()), store.replicaBytes(), "bytes of replicas");
            TestBlocks newer = new TestBlocks(CONTENT.blockSizeBytes(), 2);
            submit(comm, store, newer);
            checkReadable(store, newer);
        }
    }

    private static void checkTaken(Communicator world, ReStore store, int spare, int place) {
        if (world.rank() == spare) {
            equal(StoreRank.of(place), store.rank(), "store rank of a spare that took over");
        }
    }

    private static void usedUp(Communicator world) {
        try (ReStore store = store(world)) {
            Communicator comm = killOwners(world, store, 0);
            replenishPlaces(comm, store, 0);
            comm = killOwners(comm, store, 1);
            replenishPlaces(comm, store, 1);
            checkSizeKept(comm, store);
            int alive = comm.size();
            comm = killOwners(comm, store, 0);
            equal(FailedRanks.of(0), store.failedRanks(), "failed ranks");
            checkReadable(store, CONTENT);
            long missing = Math.min(REPLICATION, comm.size()) * BLOCKS * CONTENT.blockSizeBytes()
                    - sumOverPes(comm, store.replicaBytes());
            equal(missing, sumOverPes(comm, store.replenish()), "bytes received by " + comm.size() + " of " + alive);
            checkReadable(store, CONTENT);
        }
    }

    private static void failsIdle(Communicator world) {
        try (ReStore store = store(world)) {
            int peCount = store.placement().peCount();
            Communicator comm = kill(world, peCount);
            store.recover(comm);
            checkSizeKept(comm, store);
            equal(0L, sumOverPes(comm, store.replenish()), "bytes received for an idle spare");
            checkReadable(store, CONTENT);
            comm = killOwners(comm, store, 0);
            checkTaken(world, store, peCount + 1, 0);
            replenishPlaces(comm, store, 0);
            checkSizeKept(comm, store);
            checkReadable(store, CONTENT);
        }
    }

    private static void failsInPlace(Communicator world) {
        try (ReStore store = store(world)) {
            int peCount = store.placement().peCount();
            Communicator comm = killOwners(world, store, 1);
            replenishPlaces(comm, store, 1);
            comm = killOwners(comm, store, 1);
            checkTaken(world, store, peCount + 1, 1);
            checkReadable(store, CONTENT);
            replenishPlaces(comm, store, 1);
            checkSizeKept(comm, store);
            killOwners(comm, store, 1);
            equal(FailedRanks.of(1), store.failedRanks(), "failed ranks");
            checkReadable(store, CONTENT);
            store.replenish();
            checkReadable(store, CONTENT);
        }
    }

    private static void failsUnfilled(Communicator world) {
        try (ReStore store = store(world)) {
            int peCount = store.placement().peCount();
            Communicator comm = killOwners(world, store, 1);
            comm = killOwners(comm, store, 1);
            checkTaken(world, store, peCount + 1, 1);
            checkReadable(store, CONTENT);
            replenishPlaces(comm, store, 1);
            checkSizeKept(comm, store);
            checkReadable(store, CONTENT);
        }
    }
}

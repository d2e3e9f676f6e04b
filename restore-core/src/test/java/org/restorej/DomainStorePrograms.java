package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.util.List;
import java.util.stream.IntStream;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.FailedRanks;

/** What a store promises that knows which PEs fail together, when they do. K is 2 but where told. */
public final class DomainStorePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aNodeOfTwoThatFailsTakesNoBlockWithIt", 4, world -> aNodeFails(world, 2)),
            new ContractProgram("aNodeOfThreeThatFailsTakesNoBlockWithIt", 6, world -> aNodeFails(world, 3)),
            new ContractProgram("withThreeReplicasTwoNodesOfThreeMayDieAtOnce", 6, DomainStorePrograms::twoNodesDie),
            new ContractProgram("afterAReplenishmentAnotherNodeMayDie", 6, DomainStorePrograms::nodeAfterNode),
            new ContractProgram("sparesStandInTheDomainsOfTheFailed", 6, DomainStorePrograms::spares));

    static final int REPLICATION = 2;

    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(REPLICATION)
                .permutationRangeBlocks(7).ringPoints(5);
    }

    /**
     * Nodes of ranks that the plain shift makes hold the same ranges: rank r and rank r + P / 2 come one after the
     * other.
     */
    private static int nodeOf(int rank, int peCount, int nodeSize) {
        int shift = peCount / REPLICATION;
        int place = rank < 2 * shift ? 2 * (rank % shift) + rank / shift : rank;
        return place / nodeSize;
    }

    private static int[] ranksOf(int node, int peCount, int nodeSize) {
        return IntStream.range(0, peCount).filter(rank -> nodeOf(rank, peCount, nodeSize) == node).toArray();
    }

    /** Beside a store without labels, to see that the failure would have cost something. */
    private static void aNodeFails(Communicator world, int nodeSize) {
        int size = world.size();
        String node = "node" + nodeOf(world.rank(), size, nodeSize);
        try (ReStore plain = builder(world).build(); ReStore store = builder(world).failureDomain(node).build()) {
            submit(world, plain, CONTENT);
            submit(world, store, CONTENT);
            int[] victims = ranksOf(0, size, nodeSize);
            Communicator comm = kill(world, victims);
            plain.recover(comm);
            store.recover(comm);
            equal(nodeSize, store.failedRanks().size(), "failed ranks");
            holds(!plain.lostBlocks().isEmpty(), "without labels something is lost");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING);
            store.replenish();
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    /**
     * Up to 8 PEs ranks 0, 2 and 4 would hold the same ranges, and are on two nodes; each beyond 5 has one of its
     * own.
     */
    private static void twoNodesDie(Communicator world) {
        int rank = world.rank();
        String node = "node" + (rank < 6 ? List.of(0, 1, 0, 2, 1, 2).get(rank) : rank);
        try (ReStore plain = builder(world).replication(3).build();
                ReStore store = builder(world).replication(3).failureDomain(node).build()) {
            submit(world, plain, CONTENT);
            submit(world, store, CONTENT);
            Communicator comm = kill(world, 0, 1, 2, 4);
            plain.recover(comm);
            store.recover(comm);
            holds(!plain.lostBlocks().isEmpty(), "without labels something is lost");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void nodeAfterNode(Communicator world) {
        int size = world.size();
        try (ReStore store = builder(world).failureDomain("rack", "node" + nodeOf(world.rank(), size, 2))
                .sharedDomains(true).build()) {
            submit(world, store, CONTENT);
            Communicator comm = kill(world, ranksOf(0, size, 2));
            store.recover(comm);
            for (int node = 1; nodeOf(size - 1, size, 2) > node; node++) {
                store.replenish();
                int[] victims = ranksOf(node, size, 2);
                Communicator alive = comm;
                comm = kill(comm, IntStream.of(victims).map(rank -> alive.ranks().currentRankOf(rank)).toArray());
                store.recover(comm);
                equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks after the failure of node " + node);
                CONTENT.pullAndCheck(store, EVERYTHING);
            }
        }
    }

    /** The last two are spares and take the places of a node; then all others may die. */
    private static void spares(Communicator world) {
        int peCount = world.size() - 2;
        String node = world.rank() < peCount ? "node" + nodeOf(world.rank(), peCount, 2) : "spares";
        try (ReStore store = builder(world).spares(2).failureDomain(node).build()) {
            submit(world, store, CONTENT);
            Communicator comm = kill(world, ranksOf(0, peCount, 2));
            store.recover(comm);
            equal(FailedRanks.NONE, store.failedRanks(), "failed ranks");
            store.replenish();
            Communicator alive = comm;
            comm = kill(comm, IntStream.of(ranksOf(1, peCount, 2)).map(rank -> alive.ranks().currentRankOf(rank))
                    .toArray());
            store.recover(comm);
            equal(2, store.failedRanks().size(), "failed ranks");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }
}

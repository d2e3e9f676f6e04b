package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Placement;

/** What a store promises when PEs die between its operations: runs wherever failures can be simulated. */
public final class FailingStorePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("survivorsReadEverythingAfterEachOfSeveralFailures", 4,
                    FailingStorePrograms::severalFailures),
            new ContractProgram("whatIsLostIsNamedAndTheRestStaysReadable", 2, FailingStorePrograms::loss),
            new ContractProgram("whoHasNoMemoryLearnsOfLostBlocksAsAllDo", 3, FailingStorePrograms::lossWithoutMemory),
            new ContractProgram("rebalancedWorkIsPulledByTheSurvivors", 3, FailingStorePrograms::rebalancing),
            new ContractProgram("aStoreBuiltAfterAFailureHasRanksOfItsOwn", 3, FailingStorePrograms::builtLater),
            new ContractProgram("recoverRefusesTheWrongCommunicator", 3, FailingStorePrograms::wrongCommunicator),
            new ContractProgram("aGenerationSubmittedAfterAFailureIsWhole", 4, FailingStorePrograms::submitLater));

    /** Blocks of the stores of this and the other suites in which PEs die. */
    static final long BLOCKS = 500;

    private static final TestBlocks CONTENT = new TestBlocks(40, 1);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore store(Communicator world, int replication) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(40).replication(replication)
                .permutationRangeBlocks(7).build();
        submit(world, store, CONTENT);
        return store;
    }

    /** Submits a generation, every PE an equal run of its blocks. */
    static void submit(Communicator comm, ReStore store, TestBlocks content) {
        store.submit(StorePrograms.ownRun(comm, BLOCKS), content::write);
    }

    /** Ends PEs, lets the survivors notice, and returns their communicator. */
    public static Communicator kill(Communicator comm, int... currentRanks) {
        FailureSimulation.of(comm).fail(currentRanks);
        try {
            comm.allReduce(new long[1], org.restorej.comm.Reduction.SUM);
            throw new AssertionError("a collective call with failed PEs must not succeed: " + comm.ranks());
        } catch (CommunicationFailedException expected) {
            comm.revoke();
        }
        return comm.shrink();
    }

    private static void lossWithoutMemory(Communicator world) {
        try (ReStore store = store(world, 1); Arena arena = Arena.ofShared()) {
            Communicator comm = kill(world, world.size() - 1);
            store.recover(comm);
            Arena tooSmall = new Arena() {
                @Override
                public MemorySegment allocate(long byteSize, long byteAlignment) {
                    if (byteSize < BLOCKS) {
                        return arena.allocate(byteSize, byteAlignment);
                    }
                    throw new OutOfMemoryError("none for the blocks of this PE");
                }

                @Override
                public MemorySegment.Scope scope() {
                    return arena.scope();
                }

                @Override
                public void close() {}
            };
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> store.pull(BlockRanges.of(0, BLOCKS), comm.rank() == 0 ? tooSmall : arena),
                    "a pull of lost blocks");
            equal(store.lostBlocks(), loss.lostBlocks(), "lost blocks");
        }
    }

    private static void severalFailures(Communicator world) {
        int size = world.size();
        try (ReStore store = store(world, size)) {
            Communicator comm = world;
            while (comm.size() > 1) {
                // The first, then the last, in turn: rank 0 fails too.
                comm = kill(comm, comm.size() % 2 == 0 ? 0 : comm.size() - 1);
                store.recover(comm);
                equal(size - comm.size(), store.failedRanks().size(), "failed ranks");
                equal(comm.ranks().absentRanks().toString(), store.failedRanks().ranks().toString(), "failed ranks");
                CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                CONTENT.pullAndCheck(store, comm.rank() == 0 ? BlockRanges.of(3, 99) : BlockRanges.EMPTY);
                equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            }
        }
    }

    private static void loss(Communicator world) {
        try (ReStore store = store(world, 1); Arena arena = Arena.ofShared()) {
            int last = world.size() - 1;
            Communicator comm = kill(world, last);
            store.recover(comm);
            Placement placement = store.placement();
            long first = placement.firstPosition(last);
            BlockRanges expected = positions(store, first, first + placement.blocksIn(last));
            equal(expected, store.lostBlocks(), "lost blocks");
            equal(expected.blockCount(), store.report().blocksLost(), "lost blocks in the report");
            MemorySegment memory = arena.allocate(BLOCKS * 40);
            BlockRanges wanted = comm.rank() == 0 ? BlockRanges.of(0, BLOCKS) : BlockRanges.EMPTY;
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> store.pull(wanted, memory), "a pull of lost blocks");
            equal(expected, loss.lostBlocks(), "lost blocks of the exception");
            equal(FailedRanks.of(last), loss.failedRanks(), "failed ranks of the exception");
            BlockRanges rest = BlockRanges.of(0, BLOCKS).minus(expected);
            if (comm.rank() == 0) {
                for (long i = 0; i < rest.blockCount(); i++) {
                    CONTENT.check(rest.blockAt(i), memory.asSlice(rest.blockAt(i) * 40, 40));
                }
            }
            CONTENT.pullAndCheck(store, rest);
        }
    }

    /** The blocks at positions {@code first .. end - 1}. */
    static BlockRanges positions(ReStore store, long first, long end) {
        return BlockRanges.of(java.util.stream.LongStream.range(first, end)
                .mapToObj(position -> BlockRange.of(store.state().layout().permutation().blockAt(position), 1))
                .toList());
    }

    private static void rebalancing(Communicator world) {
        try (ReStore store = store(world, Math.min(3, world.size()))) {
            LoadBalancer balancer = LoadBalancer.equal(world.size(), BLOCKS);
            BlockRanges before = balancer.assignment().blocksOf(store.rank());
            Communicator comm = kill(world, world.size() - 2);
            store.recover(comm);
            var proposal = balancer.rebalance(store.failedRanks());
            BlockRanges gained = proposal.blocksOf(store.rank()).minus(before);
            holds(gained.blockCount() > 0, "every survivor gets something");
            CONTENT.pullAndCheck(store, gained);
            balancer.commit();
        }
    }

    private static void builtLater(Communicator world) {
        Communicator comm = kill(world, 0);
        try (ReStore store = store(comm, Math.min(2, comm.size()))) {
            equal(comm.rank(), store.rank().value(), "store rank in a store built after a failure");
            equal(comm.size(), store.placement().peCount(), "P");
            if (comm.size() > 2) {
                Communicator fewer = kill(comm, 1);
                store.recover(fewer);
                equal(FailedRanks.of(1), store.failedRanks(), "failed ranks in the store's own numbers");
                CONTENT.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            }
        }
    }

    private static void wrongCommunicator(Communicator world) {
        int last = world.size() - 1;
        try (ReStore older = store(world, world.size())) {
            Communicator comm = kill(world, last);
            older.recover(comm);
            equal("survivors must not contain PEs that have left before: original ranks {" + last + "}",
                    throwing(IllegalArgumentException.class, () -> older.recover(world), "recover with a failed PE")
                            .getMessage(),
                    "message");
            try (ReStore younger = store(comm, 2)) {
                equal("survivors must be PEs that built the store: it never knew original ranks {" + last + "}",
                        throwing(IllegalArgumentException.class, () -> younger.recover(world),
                                "recover with an unknown PE").getMessage(),
                        "message");
                CONTENT.pullAndCheck(younger, BlockRanges.of(0, BLOCKS));
            }
            CONTENT.pullAndCheck(older, BlockRanges.of(0, BLOCKS));
        }
    }

    private static void submitLater(Communicator world) {
        TestBlocks newer = new TestBlocks(40, 2);
        try (ReStore store = store(world, 2)) {
            Communicator comm = kill(world, 0);
            store.recover(comm);
            submit(comm, store, newer);
            equal(2L, store.generation(), "generation");
            newer.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            // K replicas again, also of what the failed PE held: any one more may die.
            Communicator fewer = kill(comm, 0);
            store.recover(fewer);
            newer.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
        }
    }
}

package org.restorej;

import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.Messages;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/**
 * What a store promises of a submit in the background while nobody fails: on every transport, at any number of PEs. PE 0
 * begins it last, so that what happens before happens while it is under way on the others.
 */
public final class AsyncStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aSubmitInTheBackgroundBringsWhatASubmitBrings", 1, AsyncStorePrograms::sameResult),
            new ContractProgram("theApplicationComputesAndCommunicatesMeanwhile", 1, AsyncStorePrograms::meanwhile),
            new ContractProgram("theCallStartsOneRoundAndLaterOnesFollow", 1, AsyncStorePrograms::rounds),
            new ContractProgram("theNextCallOfTheStoreWaitsForTheEnd", 1, AsyncStorePrograms::nextCallWaits),
            new ContractProgram("severalStoresSubmitAtTheSameTime", 1, AsyncStorePrograms::severalStores),
            new ContractProgram("submissionsAreAwaitedInAnyOrderBeforeTheyAreCommitted", 1,
                    AsyncStorePrograms::awaitedInAnyOrder),
            new ContractProgram("closingWaitsForASubmitInTheBackground", 1, AsyncStorePrograms::closePending));

    static final long BLOCKS = 500;

    private static final long BLOCK_BYTES = 40;

    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).replication(Math.min(2, world.size())).permutationRangeBlocks(7);
    }

    static ReStore store(Communicator world) {
        return builder(world).blockSizeBytes(BLOCK_BYTES).build();
    }

    static TestBlocks content(long version) {
        return new TestBlocks(BLOCK_BYTES, version);
    }

    /** The part of this PE when every PE takes an equal run. */
    static Submission share(Communicator comm, BlockRange.Writer writer) {
        return new Submission().add(ownRun(comm, BLOCKS), writer);
    }

    /**
     * Begins a submit, on PE 0 after something else.
     *
     * @param meanwhile is given what is under way; null on PE 0
     */
    static PendingOperation<Long> begin(Communicator world, ReStore store, Submission mine,
            Consumer<@Nullable PendingOperation<Long>> meanwhile) {
        PendingOperation<Long> early = world.rank() == 0 ? null : store.submitAsync(mine);
        meanwhile.accept(early);
        return early == null ? store.submitAsync(mine) : early;
    }

    /** Buffers are as long as what happened to be under way at once. */
    private static StoreReport.Memory withoutBuffers(ReStore store) {
        StoreReport.Memory memory = store.report().memory();
        return new StoreReport.Memory(memory.blockBytes(), memory.sizeBytes(), memory.checksumBytes(),
                memory.stagedBytes(), memory.spareBytes(), 0);
    }

    private static void sameResult(Communicator world) {
        try (ReStore atOnce = store(world); ReStore background = store(world)) {
            for (long version = 1; version <= 3; version++) {
                TestBlocks content = content(version);
                long number = atOnce.submit(share(world, content::write));
                PendingOperation<Long> pending = background.submitAsync(share(world, content::write));
                equal(number, pending.await(), "number of the generation");
                equal(number, pending.await(), "number of the generation, asked again");
                equal(number, background.generation(), "generation that can be read");
                holds(pending.isDone(), "done after await");
                equal(withoutBuffers(atOnce), withoutBuffers(background), "memory but for buffers");
                content.pullAndCheck(background, BlockRanges.of(0, BLOCKS));
                StoreReport.Totals expected = atOnce.report().totals(Operation.SUBMIT);
                StoreReport.Totals totals = background.report().totals(Operation.SUBMIT);
                equal(version, totals.calls(), "submits noted");
                equal(expected.sentBytes(), totals.sentBytes(), "bytes sent");
                equal(expected.receivedBytes(), totals.receivedBytes(), "bytes received");
                holds(totals.nanos() > 0, "time is noted");
            }
        }
    }

    private static void meanwhile(Communicator world) {
        Set<Thread> writing = ConcurrentHashMap.newKeySet();
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            Submission mine = share(world, (id, block) -> {
                writing.add(Thread.currentThread());
                content(2).write(id, block);
            });
            PendingOperation<Long> pending = begin(world, store, mine, early -> {
                for (long round = 1; round <= 20; round++) {
                    // Not after the messages: PE 0 may have ended the last round, and begun.
                    if (early != null) {
                        holds(!early.isDone(), "under way before the messages of round " + round);
                    }
                    ringAndSum(world, round);
                }
                equal(1L, store.generation(), "generation meanwhile");
                equal(1L, store.report().totals(Operation.SUBMIT).calls(), "submits in the report meanwhile");
            });
            while (!pending.isDone()) {
                Thread.onSpinWait();
            }
            equal(1L, store.generation(), "generation until somebody asks for the new one");
            ringAndSum(world, 21);
            equal(2L, pending.await(), "number of the generation");
            equal(Set.of(Thread.currentThread()), writing, "threads that write");
            content(2).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    /** What an application does with its own communicator. */
    static void ringAndSum(Communicator world, long round) {
        int next = (world.rank() + 1) % world.size();
        int previous = (world.rank() + world.size() - 1) % world.size();
        var send = world.iSend(Messages.number(round * 100 + world.rank()), next, 3);
        equal(round * 100 + previous, Messages.receiveNumber(world, previous, 3), "number from the left");
        Messages.await(send);
        long[] sum = {round};
        world.allReduce(sum, Reduction.SUM);
        equal(round * world.size(), sum[0], "sum of a round");
    }

    /** PE 0 submits 21 MiB, more than the 16 MiB of the round that the call starts, and writes the last of them later. */
    private static void rounds(Communicator world) {
        long blockBytes = 1 << 20;
        TestBlocks content = new TestBlocks(blockBytes, 1);
        AtomicBoolean written = new AtomicBoolean();
        try (ReStore store = ReStore.builder(world).blocks(21).blockSizeBytes(blockBytes).replication(1).build();
                Arena arena = Arena.ofShared()) {
            Submission mine = new Submission();
            if (world.rank() == 0) {
                MemorySegment memory = arena.allocate(20 * blockBytes);
                content.write(19, memory.asSlice(19 * blockBytes, blockBytes));
                mine.add(BlockRange.of(0, 20), memory).add(BlockRange.of(20, 1), (id, block) -> {
                    written.set(true);
                    content.write(id, block);
                });
            } else {
                equal(1L, Messages.receiveNumber(world, 0, 5), "PE 0 has begun");
            }
            PendingOperation<Long> pending = store.submitAsync(mine);
            if (world.rank() == 0) {
                holds(!written.get() || world.size() == 1, "blocks of the second round are not written by the call");
                for (int other = 1; other < world.size(); other++) {
                    Messages.await(world.iSend(Messages.number(1), other, 5));
                }
            }
            pending.await();
            content.pullAndCheck(store, BlockRanges.of(19, 2));
        }
    }

    private static void nextCallWaits(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            var _ = store.submitAsync(share(world, content(2)::write));
            content(2).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            var _ = store.submitAsync(share(world, content(3)::write));
            PendingOperation<Long> last = store.submitAsync(share(world, content(4)::write));
            equal(3L, store.generation(), "generation after a submit has waited for the one before");
            equal(4L, last.await(), "number of the last generation");
            content(4).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    /** Begun in the same order, awaited in another one by every other PE. */
    private static void severalStores(Communicator world) {
        try (ReStore first = store(world); ReStore second = store(world); ReStore third = store(world)) {
            List<ReStore> stores = List.of(first, second, third);
            for (long version = 1; version <= 5; version++) {
                long base = version * 10;
                List<PendingOperation<Long>> pending = stores.stream().map(store -> store
                        .submitAsync(share(world, content(base + stores.indexOf(store))::write))).toList();
                ringAndSum(world, version);
                for (int i = 0; i < stores.size(); i++) {
                    int store = world.rank() % 2 == 0 ? i : stores.size() - 1 - i;
                    equal(version, pending.get(store).await(), "generation of store " + store);
                }
                for (ReStore store : stores) {
                    content(base + stores.indexOf(store)).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                }
            }
        }
    }

    private static void awaitedInAnyOrder(Communicator world) {
        try (ReStore first = store(world); ReStore second = store(world)) {
            for (long version = 1; version <= 3; version++) {
                PendingOperation<StagedSubmission> one = first.stageAsync(share(world, content(version)::write));
                PendingOperation<StagedSubmission> other = second.stageAsync(share(world, content(version)::write));
                if (world.rank() % 2 == 1) {
                    other.await();
                }
                equal(version, StagedSubmission.commitTogether(List.of(one.await(), other.await())), "generation");
                content(version).pullAndCheck(first, EVERYTHING);
                content(version).pullAndCheck(second, EVERYTHING);
            }
        }
    }

    private static void closePending(Communicator world) {
        ReStore store = store(world);
        PendingOperation<Long> pending = store.submitAsync(share(world, content(1)::write));
        store.close();
        holds(pending.isDone(), "done when the store is closed");
        equal(1L, pending.await(), "number of the generation that was submitted last");
        throwing(IllegalStateException.class, () -> {
            var _ = store.submitAsync(new Submission());
        }, "submitAsync when closed");
    }
}

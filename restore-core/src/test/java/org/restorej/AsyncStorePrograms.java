package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.restorej.StoreReport.Operation;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.Messages;
import org.restorej.placement.Placement;

/**
 * What a store promises of a submit in the background while nobody dies: on every transport, at any number of PEs.
 * Where several threads of a PE may communicate at once, writers that wait hold the submit up, so that whatever happens
 * meanwhile happens while it is under way.
 */
public final class AsyncStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aSubmitInTheBackgroundBringsWhatASubmitBrings", 1, AsyncStorePrograms::sameResult),
            new ContractProgram("theApplicationComputesAndCommunicatesMeanwhile", 1, AsyncStorePrograms::meanwhile),
            new ContractProgram("progressIsToldInBytesAndEndsWithAllOfThem", 1, AsyncStorePrograms::progress),
            new ContractProgram("theNextCallOfTheStoreWaitsForTheEnd", 1, AsyncStorePrograms::nextCallWaits),
            new ContractProgram("severalStoresSubmitAtTheSameTime", 1, AsyncStorePrograms::severalStores),
            new ContractProgram("closingWaitsForASubmitInTheBackground", 1, AsyncStorePrograms::closePending));

    static final long BLOCKS = 500;

    private static final long BLOCK_BYTES = 40;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES)
                .replication(Math.min(2, world.size())).permutationRangeBlocks(7).build();
    }

    static TestBlocks content(long version) {
        return new TestBlocks(BLOCK_BYTES, version);
    }

    /** The part of this PE when every PE takes an equal run. */
    static Submission share(Communicator comm, BlockWriter writer) {
        Placement runs = new Placement(comm.size(), BLOCKS, 1);
        return new Submission()
                .add(BlockRange.of(runs.firstPosition(comm.rank()), runs.blocksIn(comm.rank())), writer);
    }

    /**
     * The blocks of a version, written once the gate is open; open at once where the submit isn't in the background.
     */
    static BlockWriter behind(CountDownLatch gate, Communicator comm, TestBlocks content) {
        if (!comm.allowsConcurrentUse()) {
            gate.countDown();
        }
        return (id, block) -> {
            pass(gate);
            content.write(id, block);
        };
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the gate", interrupted);
        }
    }

    /** The blocks of a version, written once a thread waits for another one to end. */
    static BlockWriter onceItWaits(Thread waiting, Communicator comm, TestBlocks content) {
        return (id, block) -> {
            while (comm.allowsConcurrentUse() && waiting.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            content.write(id, block);
        };
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
                PendingSubmit pending = background.submitAsync(share(world, content::write));
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
        CountDownLatch gate = new CountDownLatch(1);
        AtomicReference<Thread> writing = new AtomicReference<>();
        BlockWriter gated = behind(gate, world, content(2));
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            PendingSubmit pending = store.submitAsync(share(world, (id, block) -> {
                writing.set(Thread.currentThread());
                gated.write(id, block);
            }));
            equal(world.allowsConcurrentUse(), pending.runsInBackground(), "in the background");
            equal(pending.runsInBackground(), !pending.isDone(), "under way when the call returns");
            for (long round = 1; round <= 20; round++) {
                ringAndSum(world, round);
            }
            // Nobody can be done before every PE has opened its gate, and nobody has.
            equal(pending.runsInBackground(), !pending.isDone(), "under way after all the messages");
            if (pending.runsInBackground()) {
                equal(0L, pending.submittedBytes(), "bytes submitted before the first block was written");
                equal(1L, store.generation(), "generation meanwhile");
                equal(1L, store.report().totals(Operation.SUBMIT).calls(), "submits in the report meanwhile");
                holds(!pending.isDone(), "the report has waited for nothing");
            }
            Messages.await(world.iBarrier());
            gate.countDown();
            equal(2L, pending.await(), "number of the generation");
            equal(pending.runsInBackground(), !Thread.currentThread().equals(writing.get()), "another thread writes");
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

    /**
     * In the background rank 0 submits 21 MiB, more than the 16 MiB of a round, the last MiB behind a gate: so it stops
     * after a round.
     */
    private static void progress(Communicator world) {
        long blockBytes = world.allowsConcurrentUse() ? 1 << 20 : 1 << 10;
        TestBlocks content = new TestBlocks(blockBytes, 1);
        CountDownLatch gate = new CountDownLatch(1);
        try (ReStore store = ReStore.builder(world).blocks(21).blockSizeBytes(blockBytes).replication(1).build();
                Arena arena = Arena.ofShared()) {
            Submission mine = new Submission();
            if (world.rank() == 0) {
                MemorySegment memory = arena.allocate(20 * blockBytes);
                content.write(19, memory.asSlice(19 * blockBytes, blockBytes));
                mine.add(BlockRange.of(0, 20), memory).add(BlockRange.of(20, 1), behind(gate, world, content));
            }
            PendingSubmit pending = store.submitAsync(mine);
            long total = world.rank() == 0 ? 21 * blockBytes : 0;
            equal(total, pending.totalBytes(), "bytes in all");
            if (world.rank() == 0 && pending.runsInBackground()) {
                while (pending.submittedBytes() == 0) {
                    Thread.onSpinWait();
                }
                equal(16 * blockBytes, pending.submittedBytes(), "bytes after the first round");
                holds(!pending.isDone(), "not done after the first round");
            }
            gate.countDown();
            long seen = 0;
            while (!pending.isDone()) {
                long now = pending.submittedBytes();
                holds(now >= seen && now <= total, "bytes never fall and never exceed the total: " + seen + ", " + now);
                seen = now;
            }
            pending.await();
            equal(total, pending.submittedBytes(), "bytes at the end");
            content.pullAndCheck(store, BlockRanges.of(19, 2));
        }
    }

    private static void nextCallWaits(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            Thread caller = Thread.currentThread();
            var _ = store.submitAsync(share(world, onceItWaits(caller, world, content(2))));
            content(2).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            var _ = store.submitAsync(share(world, onceItWaits(caller, world, content(3))));
            PendingSubmit last = store.submitAsync(share(world, onceItWaits(caller, world, content(4))));
            equal(3L, store.generation(), "generation after a submit has waited for the one before");
            equal(4L, last.await(), "number of the last generation");
            content(4).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    private static void severalStores(Communicator world) {
        try (ReStore first = store(world); ReStore second = store(world); ReStore third = store(world)) {
            List<ReStore> stores = List.of(first, second, third);
            for (long version = 1; version <= 5; version++) {
                long base = version * 10;
                CountDownLatch gate = new CountDownLatch(1);
                List<PendingSubmit> pending = stores.stream().map(store -> store
                        .submitAsync(share(world, behind(gate, world, content(base + stores.indexOf(store))))))
                        .toList();
                gate.countDown();
                ringAndSum(world, version);
                for (int store = 0; store < stores.size(); store++) {
                    equal(version, pending.get(store).await(), "generation of store " + store);
                    content(base + store).pullAndCheck(stores.get(store), BlockRanges.of(0, BLOCKS));
                }
            }
        }
    }

    private static void closePending(Communicator world) {
        ReStore store = store(world);
        PendingSubmit pending = store
                .submitAsync(share(world, onceItWaits(Thread.currentThread(), world, content(1))));
        store.close();
        holds(pending.isDone(), "done when the store is closed");
        equal(1L, pending.await(), "number of the generation that was submitted last");
        throwing(IllegalStateException.class, () -> {
            var _ = store.submitAsync(new Submission());
        }, "submitAsync when closed");
    }
}

package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What a store with a fallback promises when blocks are lost. */
public final class FallbackStorePrograms implements ContractSuite {
    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("theFallbackFillsInWhatIsLostAndIsAskedForNothingElse", 2,
                    FallbackStorePrograms::fillsIn),
            new ContractProgram("theFallbackIsAskedWhereTheBlocksAreWanted", 3,
                    FallbackStorePrograms::askedWhereWanted),
            new ContractProgram("theFallbackStillFillsInAfterAReplenishment", 3,
                    FallbackStorePrograms::afterAReplenishment),
            new ContractProgram("aFallbackThatThrowsLeavesTheLossToEverybody", 2,
                    FallbackStorePrograms::fallbackThatThrows));

    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** Reads right blocks and notes which it was asked for. */
    private static final class RecordingFallback implements Fallback {
        private final List<BlockRange> asked = new ArrayList<>();

        @Override
        public void read(BlockRange blocks, MemorySegment destination) {
            equal(blocks.count() * CONTENT.blockSizeBytes(), destination.byteSize(), "bytes of the destination");
            asked.add(blocks);
            for (long i = 0; i < blocks.count(); i++) {
                CONTENT.write(blocks.first() + i,
                        destination.asSlice(i * CONTENT.blockSizeBytes(), CONTENT.blockSizeBytes()));
            }
        }

        /** Checks that it was asked exactly for these, each once, and forgets. */
        void checkAsked(BlockRanges expected, String what) {
            equal(expected, BlockRanges.of(asked), what);
            equal(expected.blockCount(), asked.stream().mapToLong(BlockRange::count).sum(), what + ", each once");
            asked.clear();
        }
    }

    private static ReStore store(Communicator world, int replication, Fallback fallback) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .replication(replication).permutationRangeBlocks(7).fallback(fallback).build();
        submit(world, store, CONTENT);
        return store;
    }

    private static void fillsIn(Communicator world) {
        RecordingFallback fallback = new RecordingFallback();
        try (ReStore store = store(world, 1, fallback); Arena arena = Arena.ofShared()) {
            CONTENT.pullAndCheck(store, EVERYTHING);
            fallback.checkAsked(BlockRanges.EMPTY, "asked with nobody failed");
            store.recover(kill(world, world.size() - 1));
            BlockRanges lost = store.lostBlocks();
            holds(lost.runCount() > 1, "several runs are lost: " + lost);
            CONTENT.pullAndCheck(store, EVERYTHING);
            fallback.checkAsked(lost, "asked by a pull");
            MemorySegment memory = arena.allocate(BLOCKS * CONTENT.blockSizeBytes());
            MemorySegment onTheHeap = MemorySegment.ofArray(new byte[(int) memory.byteSize()]);
            store.pull(EVERYTHING, onTheHeap);
            CONTENT.checkAll(EVERYTHING, onTheHeap);
            fallback.checkAsked(lost, "asked by a pull onto the heap");
            equal(lost, store.lostBlocks(), "what the fallback has read is lost all the same");
        }
    }

    private static void askedWhereWanted(Communicator world) {
        RecordingFallback fallback = new RecordingFallback();
        try (ReStore store = store(world, 1, fallback)) {
            Communicator comm = kill(world, 0);
            store.recover(comm);
            // Half of the blocks, on one PE.
            BlockRanges wanted = comm.rank() == 1 ? BlockRanges.of(11, BLOCKS / 2) : BlockRanges.EMPTY;
            CONTENT.pullAndCheck(store, wanted);
            fallback.checkAsked(wanted.minus(EVERYTHING.minus(store.lostBlocks())), "asked");
            CONTENT.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
            fallback.checkAsked(BlockRanges.EMPTY, "asked when nothing lost is wanted");
        }
    }

    private static void afterAReplenishment(Communicator world) {
        RecordingFallback fallback = new RecordingFallback();
        try (ReStore store = store(world, 1, fallback)) {
            Communicator comm = kill(world, 1);
            store.recover(comm);
            BlockRanges lost = store.lostBlocks();
            store.replenish();
            fallback.checkAsked(BlockRanges.EMPTY, "asked by a replenishment");
            CONTENT.pullAndCheck(store, EVERYTHING);
            fallback.checkAsked(lost, "asked by a pull");
        }
    }

    /** The fallback of rank 0 fails for odd runs; everybody else's works. */
    private static void fallbackThatThrows(Communicator world) {
        RecordingFallback working = new RecordingFallback();
        List<BlockRange> refused = new ArrayList<>();
        int survivor = 0;
        Fallback fallback = (blocks, destination) -> {
            if (world.rank() == survivor && blocks.first() % 2 == 1) {
                refused.add(blocks);
                throw new IOException("no blocks " + blocks);
            }
            working.read(blocks, destination);
        };
        try (ReStore store = store(world, 1, fallback); Arena arena = Arena.ofShared()) {
            store.recover(kill(world, world.size() - 1));
            MemorySegment memory = arena.allocate(BLOCKS * CONTENT.blockSizeBytes());
            refused.clear();
            memory.fill((byte) 0);
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> store.pull(EVERYTHING, memory), "a fallback that throws");
            equal(store.lostBlocks(), loss.lostBlocks(), "lost blocks");
            equal(world.rank() == survivor, !refused.isEmpty(), "the fallback of rank " + survivor + " throws");
            equal(refused.size(), loss.getSuppressed().length, "causes");
            for (int i = 0; i < refused.size(); i++) {
                equal("no blocks " + refused.get(i), loss.getSuppressed()[i].getMessage(), "cause");
            }
            BlockRanges rest = EVERYTHING.minus(BlockRanges.of(refused));
            for (long i = 0; i < rest.blockCount(); i++) {
                CONTENT.check(rest.blockAt(i), memory.asSlice(rest.blockAt(i) * CONTENT.blockSizeBytes(),
                        CONTENT.blockSizeBytes()));
            }
            CONTENT.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
        }
    }
}

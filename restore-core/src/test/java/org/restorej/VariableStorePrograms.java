package org.restorej;

import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.Placement;

/** What the store promises for blocks of different sizes. */
public final class VariableStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("blocksOfAnySizeComeBack", 1, VariableStorePrograms::anySize),
            new ContractProgram("everySourceOfSizedBlocksIsTheSame", 1, VariableStorePrograms::sources),
            new ContractProgram("sizedBlocksGoWhereverTheyAreWanted", 1, VariableStorePrograms::destinations),
            new ContractProgram("aSizedBlockMayBeLongerThanAnyBuffer", 1, VariableStorePrograms::longBlock),
            new ContractProgram("aSizeIsAskedForOnceInASubmit", 1, VariableStorePrograms::askedOnce),
            new ContractProgram("wrongSizesAreNamedOnAllPes", 2, VariableStorePrograms::wrongSizes));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    static ReStoreBuilder builder(Communicator world, long blocks) {
        return ReStore.builder(world).blocks(blocks).variableBlockSizes(16).replication(Math.min(3, world.size()));
    }

    static void submitOwnRun(Communicator world, ReStore store, long blocks, SizedBlocks content) {
        BlockRange mine = ownRun(world, blocks);
        try (Arena arena = Arena.ofShared()) {
            store.submit(new Submission().add(mine, content.sizes(), content.memory(arena, mine)));
        }
    }

    private static void anySize(Communicator world) {
        for (long seed = 1; seed <= 6; seed++) {
            Random common = new Random(seed);
            long blocks = 1 + common.nextLong(seed % 2 == 0 ? 12 : 700);
            // The last one has nothing but empty blocks.
            SizedBlocks content = new SizedBlocks(seed == 6 ? 0 : 1 + common.nextInt(60), seed);
            try (ReStore store = TestBlocks.permuted(builder(world, blocks), common.nextLong(20)).seed(seed)
                    .replication(1 + common.nextInt(world.size())).build()) {
                submitOwnRun(world, store, blocks, content);
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                long first = new Random(seed * 100 + world.rank()).nextLong(blocks);
                content.pullAndCheck(store, BlockRanges.of(BlockRange.of(first, blocks - first), BlockRange.of(0, 1)));
            }
        }
    }

    private static void sources(Communicator world) {
        long blocks = 60L * world.size();
        SizedBlocks content = new SizedBlocks(40, 3);
        try (ReStore store = builder(world, blocks).permutationRangeBlocks(7).build(); Arena arena = Arena.ofShared()) {
            BlockRange a = BlockRange.of(60L * world.rank(), 20);
            BlockRange b = BlockRange.of(a.end(), 20);
            BlockRange c = BlockRange.of(b.end(), 20);
            long[] sizes = new long[20];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = content.sizeOf(b.first() + i);
            }
            MemorySegment heap = MemorySegment.ofArray(content.memory(arena, b).toArray(ValueLayout.JAVA_BYTE));
            store.submit(new Submission().add(c, content.sizes(), content::write)
                    .add(a, content.sizes(), content.memory(arena, a)).add(b, BlockRange.Sizes.of(b, sizes), heap));
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
        }
    }

    private static void destinations(Communicator world) {
        long blocks = 100;
        SizedBlocks content = new SizedBlocks(30, 4);
        try (ReStore store = builder(world, blocks).permutationRangeBlocks(3).build(); Arena arena = Arena.ofShared()) {
            submitOwnRun(world, store, blocks, content);
            BlockRanges wanted = BlockRanges.of(BlockRange.of(world.rank(), 7), BlockRange.of(50, 20));
            List<Long> seen = new ArrayList<>();
            store.pull(wanted, (id, block) -> {
                content.check(id, block);
                seen.add(id);
            });
            equal(wanted.blockCount(), (long) seen.size(), "blocks taken by the consumer");
            PulledBlocks pulled = store.pull(wanted, arena);
            List<Long> iterated = new ArrayList<>();
            pulled.forEach((id, block) -> {
                content.check(id, block);
                iterated.add(id);
            });
            equal(seen, iterated, "ids in order");
            throwing(IllegalArgumentException.class, () -> pulled.blockOf(99), "a block that was not pulled");
            throwing(IndexOutOfBoundsException.class, () -> pulled.blockAt(pulled.count()), "a place beyond");
            holds(pulled.blockAt(0).isReadOnly(), "a block can only be read");
            long bytes = store.pull(wanted, arena).bytes().byteSize();
            byte[] heap = new byte[(int) bytes];
            store.pull(wanted, MemorySegment.ofArray(heap));
            MemorySegment direct = arena.allocate(bytes, 1);
            store.pull(wanted, direct);
            equal(-1L, direct.mismatch(MemorySegment.ofArray(heap)), "first byte that differs");
            MemorySegment tooShort = arena.allocate(bytes, 1).asSlice(0, Math.max(0, bytes - 1));
            throwing(IllegalArgumentException.class, () -> store.pull(wanted, tooShort), "destination too short");
            content.pullAndCheck(store, wanted);
        }
    }

    private static void longBlock(Communicator world) {
        // One of 40 MiB among short ones, written: longer than the 32 MiB that the copy buffer has otherwise.
        long blocks = 3L * world.size();
        BlockRange.Sizes sizes = id -> id == 1 ? 40L << 20 : id % 3;
        BlockRange mine = ownRun(world, blocks);
        try (ReStore store = builder(world, blocks).replication(1).build(); Arena arena = Arena.ofShared()) {
            store.submit(new Submission().add(mine, sizes, (id, block) -> {
                if (block.byteSize() > 0) {
                    block.set(ValueLayout.JAVA_BYTE, block.byteSize() - 1, (byte) (id + 1));
                }
            }));
            BlockRanges wanted = world.rank() == 0 ? BlockRanges.of(0, 3) : BlockRanges.EMPTY;
            PulledBlocks pulled = store.pull(wanted, arena);
            for (long id = 0; id < pulled.count(); id++) {
                MemorySegment block = pulled.blockOf(id);
                equal(sizes.bytesOf(id), block.byteSize(), "size");
                if (block.byteSize() > 0) {
                    equal((byte) (id + 1), block.get(ValueLayout.JAVA_BYTE, block.byteSize() - 1), "last byte");
                }
            }
        }
    }

    private static void askedOnce(Communicator world) {
        long blocks = 300;
        SizedBlocks content = new SizedBlocks(30, 1);
        BlockRange mine = ownRun(world, blocks);
        int[] asked = new int[(int) mine.count()];
        BlockRange.Sizes counted = id -> {
            asked[(int) (id - mine.first())]++;
            return content.sizeOf(id);
        };
        try (ReStore store = builder(world, blocks).permutationRangeBlocks(4).build();
                Arena arena = Arena.ofShared()) {
            for (Submission submission : List.of(new Submission().add(mine, counted, content::write),
                    new Submission().add(mine, counted, content.memory(arena, mine)))) {
                Arrays.fill(asked, 0);
                store.submitAsync(submission).await();
                equal(mine.count(), Arrays.stream(asked).filter(times -> times == 1).count(), "sizes asked for once");
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
            }
        }
    }

    private static void wrongSizes(Communicator world) {
        long blocks = 50;
        SizedBlocks content = new SizedBlocks(20, 1);
        boolean first = world.rank() == 0;
        BlockRange mine = ownRun(world, blocks);
        try (ReStore store = builder(world, blocks).permutationRangeBlocks(3).build()) {
            Submission right = new Submission().add(mine, content.sizes(), content::write);
            store.submit(right);
            refused(store,
                    first ? new Submission().add(mine, content.sizes(), MemorySegment.ofArray(new byte[3])) : right,
                    "must be as many as their sizes add up to, " + (first ? content.totalBytes(mine) : ""));
            refused(store, first ? new Submission().add(mine, content::write) : right,
                    "must be added with their sizes: " + ownRunOfRank0(world, blocks));
            refused(store, first ? new Submission().add(mine, id -> -1, content::write) : right,
                    "the size of block 0 must be in 0..281474976710655");
            refused(store, first ? new Submission().add(mine, id -> {
                throw new ArithmeticException("no size of " + id);
            }, content::write) : right, "asking for the size of block 0 threw java.lang.ArithmeticException");
            refused(store, first
                    ? new Submission().add(mine, id -> 4, (id, block) -> block.set(ValueLayout.JAVA_BYTE,
                            4, (byte) 1))
                    : right, "the writer of block 0 went beyond its 4 bytes");
            refused(store, first
                    ? new Submission().add(BlockRange.of(1, mine.count() - 1), content.sizes(),
                            content::write)
                    : right, "blocks submitted by no PE: {0}");
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
            equal(1L, store.generation(), "generation");
        }
    }

    private static BlockRange ownRunOfRank0(Communicator world, long blocks) {
        return BlockRange.of(0, new Placement(world.size(), blocks, 1).blocksIn(0));
    }

    private static void refused(ReStore store, Submission submission, String reason) {
        String message = String.valueOf(
                throwing(InvalidSubmissionException.class, () -> store.submit(submission), reason).getMessage());
        holds(message.contains(reason), "the message says '" + reason + "': " + message);
    }
}

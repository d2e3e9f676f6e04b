package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.Placement;

/** What a store promises while nobody fails: runs on every transport, at any number of PEs. */
public final class StorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("everyBlockComesBackWhoeverSubmittedIt", 1, StorePrograms::everyBlockComesBack),
            new ContractProgram("longAndShortRunsTravel", 1, StorePrograms::longAndShortRunsTravel),
            new ContractProgram("arraysBuffersAndWritersAreSources", 1, StorePrograms::sources),
            new ContractProgram("aConsumerSeesEveryWantedBlockInOrder", 1, StorePrograms::consumer),
            new ContractProgram("blocksSubmittedTwiceOrByNobodyAreNamed", 1, StorePrograms::twiceAndMissing),
            new ContractProgram("whatIsWrongOnOnePeRefusesTheSubmissionOnAll", 2, StorePrograms::wrongOnOnePe),
            new ContractProgram("aWrongWishHarmsNobodyElse", 1, StorePrograms::wrongWish),
            new ContractProgram("aWrongConfigurationNamesEveryError", 1, StorePrograms::wrongConfiguration),
            new ContractProgram("configurationsThatDifferAreNamedOnAllPes", 2, StorePrograms::differentConfigurations));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world, long blocks, long blockSizeBytes) {
        return ReStore.builder(world).blocks(blocks).blockSizeBytes(blockSizeBytes)
                .replication(Math.min(3, world.size()));
    }

    /** The blocks of this PE when every PE takes an equal run. */
    static BlockRange ownRun(Communicator world, long blocks) {
        Placement runs = new Placement(world.size(), blocks, 1);
        return BlockRange.of(runs.firstPosition(world.rank()), runs.blocksIn(world.rank()));
    }

    private static void submitOwnRun(Communicator world, ReStore store, long blocks, TestBlocks content) {
        BlockRange mine = ownRun(world, blocks);
        try (Arena arena = Arena.ofShared()) {
            store.submit(mine, content.memory(arena, mine));
        }
    }

    private static void everyBlockComesBack(Communicator world) {
        for (long seed = 1; seed <= 6; seed++) {
            Random common = new Random(seed);
            long blocks = 1 + common.nextLong(seed % 2 == 0 ? 12 : 700);
            TestBlocks content = new TestBlocks(1 + common.nextLong(40), seed);
            int replication = 1 + common.nextInt(world.size());
            long rangeBlocks = common.nextLong(20);
            try (ReStore store = TestBlocks
                    .permuted(ReStore.builder(world).blocks(blocks).blockSizeBytes(content.blockSizeBytes()),
                            rangeBlocks)
                    .replication(replication).seed(seed).build();
                    Arena arena = Arena.ofShared()) {
                store.submit(randomShare(world, blocks, content, common, arena));
                Random own = new Random(seed * 1000 + world.rank());
                for (int pull = 0; pull < 3; pull++) {
                    content.pullAndCheck(store, randomRanges(blocks, own));
                }
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.EMPTY);
            }
        }
    }

    /** All PEs draw the same runs and owners; each keeps its own, in random order. */
    private static Submission randomShare(Communicator world, long blocks, TestBlocks content, Random common,
            Arena arena) {
        List<BlockRange> mine = new ArrayList<>();
        long first = 0;
        while (first < blocks) {
            long count = Math.min(blocks - first, 1 + common.nextLong(30));
            if (common.nextInt(world.size()) == world.rank()) {
                mine.add(BlockRange.of(first, count));
            }
            first += count;
        }
        java.util.Collections.shuffle(mine, new Random(world.rank()));
        Submission submission = new Submission();
        mine.forEach(run -> submission.add(run, content.memory(arena, run)));
        return submission;
    }

    private static BlockRanges randomRanges(long blocks, Random random) {
        List<BlockRange> ranges = new ArrayList<>();
        for (int run = random.nextInt(6); run > 0; run--) {
            long first = random.nextLong(blocks);
            ranges.add(BlockRange.of(first, random.nextLong(blocks - first + 1)));
        }
        return BlockRanges.of(ranges);
    }

    private static void longAndShortRunsTravel(Communicator world) {
        // Permutation ranges of 96 KiB and 5 KiB: the one travels directly, the other in frames; 400 KiB a PE.
        for (long rangeBlocks : new long[]{96, 5, 0}) {
            long blocks = 400L * world.size() + 7;
            TestBlocks content = new TestBlocks(1024, rangeBlocks);
            try (ReStore store = TestBlocks.permuted(builder(world, blocks, 1024), rangeBlocks).build()) {
                submitOwnRun(world, store, blocks, content);
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                int next = (world.rank() + 1) % world.size();
                Placement runs = new Placement(world.size(), blocks, 1);
                content.pullAndCheck(store, BlockRanges.of(runs.firstPosition(next), runs.blocksIn(next)));
            }
        }
    }

    private static void sources(Communicator world) {
        long blocks = 8L * 5 * world.size();
        TestBlocks content = new TestBlocks(16, 1);
        try (ReStore store = builder(world, blocks, 16).permutationRangeBlocks(5).build()) {
            long first = 40L * world.rank();
            Submission submission = new Submission();
            for (int kind = 0; kind < 5; kind++) {
                BlockRange run = BlockRange.of(first + 8L * kind, 8);
                ByteBuffer bytes = ByteBuffer.wrap(content.bytes(run)).order(ByteOrder.nativeOrder());
                switch (kind) {
                    case 0 -> submission.add(run, MemorySegment.ofBuffer(bytes));
                    case 1 -> {
                        int[] values = new int[32];
                        bytes.asIntBuffer().get(values);
                        submission.add(run, MemorySegment.ofArray(values));
                    }
                    case 2 -> {
                        long[] values = new long[16];
                        bytes.asLongBuffer().get(values);
                        submission.add(run, MemorySegment.ofArray(values));
                    }
                    case 3 -> submission.add(run, MemorySegment.ofArray(bytes.array()));
                    default -> submission.add(run, content::write);
                }
            }
            store.submit(submission);
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
            byte[] onTheHeap = new byte[(int) blocks * 16];
            store.pull(BlockRanges.of(0, blocks), MemorySegment.ofArray(onTheHeap));
            content.checkAll(BlockRanges.of(0, blocks), MemorySegment.ofArray(onTheHeap));
        }
    }

    private static void consumer(Communicator world) {
        long blocks = 100;
        TestBlocks content = new TestBlocks(24, 1);
        try (ReStore store = builder(world, blocks, 24).permutationRangeBlocks(3).build()) {
            submitOwnRun(world, store, blocks, content);
            BlockRanges wanted = BlockRanges.of(BlockRange.of(world.rank(), 7), BlockRange.of(50, 20));
            List<Long> seen = new ArrayList<>();
            store.pull(wanted, (id, block) -> {
                content.check(id, block);
                seen.add(id);
            });
            List<Long> expected = new ArrayList<>();
            for (long i = 0; i < wanted.blockCount(); i++) {
                expected.add(wanted.blockAt(i));
            }
            equal(expected, seen, "ids in order");
        }
    }

    private static void twiceAndMissing(Communicator world) {
        long blocks = 1000;
        TestBlocks content = new TestBlocks(8, 1);
        try (ReStore store = builder(world, blocks, 8).permutationRangeBlocks(16).build()) {
            submitOwnRun(world, store, blocks, content);
            // The last PE forgets block 998, and the first one submits block 5 twice.
            boolean last = world.rank() == world.size() - 1;
            BlockRange mine = ownRun(world, last ? blocks - 1 : blocks);
            BlockRange all = ownRun(world, blocks);
            BlockRange run = last ? BlockRange.between(all.first(), 998) : all;
            Submission faulty = new Submission().add(run, content::write);
            if (last) {
                faulty.add(BlockRange.of(999, 1), content::write);
            }
            if (world.rank() == 0) {
                faulty.add(BlockRange.of(5, 1), content::write);
            }
            String message = messageOf(
                    throwing(InvalidSubmissionException.class, () -> store.submit(faulty), "submit"));
            holds(message.contains("more than once: {5}"), "the block submitted twice is named: " + message);
            holds(message.contains("by no PE: {998}"), "the block that no PE submitted is named: " + message);
            equal(1L, store.generation(), "generation after a refused submission, run " + mine);
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
            submitOwnRun(world, store, blocks, content);
            equal(2L, store.generation(), "generation after the next submission");
        }
    }

    private static void wrongOnOnePe(Communicator world) {
        long blocks = 50;
        TestBlocks content = new TestBlocks(8, 1);
        try (ReStore store = builder(world, blocks, 8).build()) {
            BlockRange mine = ownRun(world, blocks);
            Submission right = new Submission().add(mine, content::write);
            boolean first = world.rank() == 0;
            Submission beyond = new Submission().add(BlockRange.of(48, 5), MemorySegment.ofArray(new byte[40]));
            refused(store, first ? beyond : right, "original rank 0: blocks must be in 0..49: 48..52");
            Submission tooShort = new Submission().add(mine, MemorySegment.ofArray(new byte[3]));
            refused(store, first ? tooShort : right, "byteSize=3");
            Submission throwing = new Submission().add(mine, (id, block) -> {
                throw new ArithmeticException("no block " + id);
            });
            refused(store, first ? throwing : right, "a block writer threw java.lang.ArithmeticException: no block 0");
            store.submit(right);
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
        }
    }

    private static String messageOf(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    private static void refused(ReStore store, Submission submission, String reason) {
        String message = messageOf(throwing(InvalidSubmissionException.class, () -> store.submit(submission), reason));
        holds(message.contains(reason), "the message says '" + reason + "': " + message);
    }

    private static void wrongWish(Communicator world) {
        long blocks = 60;
        TestBlocks content = new TestBlocks(8, 1);
        try (ReStore store = builder(world, blocks, 8).build(); Arena arena = Arena.ofShared()) {
            submitOwnRun(world, store, blocks, content);
            MemorySegment memory = arena.allocate(8 * 60);
            if (world.rank() == 0) {
                String message = messageOf(throwing(IllegalArgumentException.class,
                        () -> store.pull(BlockRanges.of(58, 5), memory), "ids out of range"));
                equal("wanted must be in 0..59: {60..62}", message, "message");
                message = messageOf(throwing(IllegalArgumentException.class,
                        () -> store.pull(BlockRanges.of(0, 60), memory.asSlice(8)), "destination too short"));
                equal("destination must have at least 480 bytes, 60 blocks of 8: destination.byteSize()=472", message,
                        "message");
                Arena closed = Arena.ofConfined();
                MemorySegment gone = closed.allocate(8 * 60);
                closed.close();
                throwing(IllegalArgumentException.class, () -> store.pull(BlockRanges.of(0, 60), gone),
                        "a destination whose arena is closed");
                throwing(IllegalArgumentException.class,
                        () -> store.pull(BlockRanges.of(0, 60), StorePrograms.<MemorySegment>nothing()),
                        "no destination");
                throwing(IllegalArgumentException.class, () -> store.pull(StorePrograms.<BlockRanges>nothing(), memory),
                        "no wish");
                throwing(IllegalArgumentException.class, () -> store.pull(BlockRanges.of(0, 60), closed),
                        "a closed arena");
            } else {
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
                content.pullAndCheck(store, BlockRanges.of(0, blocks));
            }
            content.pullAndCheck(store, BlockRanges.of(0, blocks));
        }
    }

    /** What a program passes that has forgotten to set a variable. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // on purpose: the store must say so
    public static <T> T nothing() {
        return null;
    }

    private static void wrongConfiguration(Communicator world) {
        String message = messageOf(throwing(IllegalArgumentException.class, () -> ReStore.builder(world).blocks(0)
                .blockSizeBytes(-1).replication(world.size() + 1).ringPoints(0).build(), "build"));
        for (String part : List.of("blocks=0", "blockSizeBytes=-1", "replication must be in 1.." + world.size(),
                "ringPoints=0")) {
            holds(message.contains(part), "the message says '" + part + "': " + message);
        }
        long tooMany = ((long) world.size() << 36) + 1;
        equal("blocks must be at most " + (tooMany - 1) + ", 2^36 for each of " + world.size() + " PEs: blocks="
                + tooMany,
                messageOf(throwing(IllegalArgumentException.class,
                        () -> builder(world, tooMany, 1).permutationRangeBlocks(1).build(), "too many blocks")),
                "message");
        equal("permutationRangeBlocks must be at least 1, and noPermutation() leaves the ids in their order: "
                + "permutationRangeBlocks=0",
                messageOf(throwing(IllegalArgumentException.class,
                        () -> builder(world, 10, 8).permutationRangeBlocks(0).build(), "no permutation")),
                "message");
        equal("ringPoints must be in 1..1024: ringPoints=2147483647",
                messageOf(throwing(IllegalArgumentException.class,
                        () -> builder(world, 10, 8).ringPoints(Integer.MAX_VALUE).build(), "too many ring points")),
                "message");
    }

    private static void differentConfigurations(Communicator world) {
        int last = world.size() - 1;
        boolean odd = world.rank() == last;
        differing(builder(world, 10, 8).seed(odd ? Long.MIN_VALUE : 1), "seed", Long.MIN_VALUE, last, 1, 0);
        differing(builder(world, odd ? 0 : 10, 8), "blocks", 0, last, 10, 0);
        ReStoreBuilder variable = builder(world, 10, 8);
        differing(odd ? variable.variableBlockSizes(8) : variable, "variableBlockSizes", false, 0, true, last);
        differing(builder(world, 10, 8).ringPoints(odd ? 4 : 5), "ringPoints", 4, last, 5, 0);
        differing(builder(world, 10, 8).replication(odd ? 1 : 2), "replication", 1, last, 2, 0);
        differing(builder(world, 10, 8).spares(odd ? 1 : 0), "spares", 0, 0, 1, last);
        differing(builder(world, 10, 8).permutationRangeBlocks(odd ? 2 : 3), "permutationRangeBlocks", 2, last, 3, 0);
        differing(builder(world, 10, 8).sharedDomains(odd), "sharedDomains", false, 0, true, last);
        differing(odd ? builder(world, 10, 8).failureDomain("node") : builder(world, 10, 8),
                "the number of labels of failureDomain", 0, 0, 1, last);
        // Two that a digest once took for the same.
        differing(builder(world, odd ? 1001 : 1000, odd ? 16 : 47).permutationRangeBlocks(1), "blockSizeBytes", 16,
                last,
                47, 0);
    }

    private static void differing(ReStoreBuilder builder, String setting, Object least, int minRank, Object greatest,
            int greatestRank) {
        String message = messageOf(throwing(IllegalArgumentException.class, builder::build, setting));
        String expected = setting + " must be the same on every PE: it is " + least + " on rank " + minRank + " and "
                + greatest + " on rank " + greatestRank;
        holds(message.contains(expected), "'" + expected + "' in: " + message);
    }
}

package org.restorej.objects;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;
import static org.restorej.rows.RowPrograms.ownRows;
import static org.restorej.rows.RowPrograms.wishOf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.StorePrograms;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.codec.BlockSerializer;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.LoopDataAccess;
import org.restorej.objects.TestObjects.Point;
import org.restorej.objects.TestObjects.Tree;
import org.restorej.rows.ReplicatedArray;

/** What a store of objects promises while nobody fails. */
public final class ObjectPrograms implements ContractSuite {
    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("objectsOfAnySizeComeBack", 1, ObjectPrograms::anySize),
            new ContractProgram("objectsOfOneSizeMakeBlocksOfOneSize", 1, ObjectPrograms::oneSize),
            new ContractProgram("whatIsPulledReplacesAll", 1, ObjectPrograms::replaced),
            new ContractProgram("idsThatAreNobodysAreRefusedAndHarmNobodyElse", 1, ObjectPrograms::wrongIds),
            new ContractProgram("aSerializerThatThrowsRefusesTheSubmissionOnAll", 2, ObjectPrograms::throwingWriter),
            new ContractProgram("bytesThatCannotBeReadHarmNobodyElse", 2, ObjectPrograms::throwingReader),
            new ContractProgram("aSerializerThatIsMissingOrBrokenIsRefusedOnAll", 2, ObjectPrograms::noSerializer),
            new ContractProgram("theBuilderStaysTheCallers", 1, ObjectPrograms::builderUnchanged));

    private static final TestObjects CONTENT = new TestObjects(1);
    private static final long COUNT = 61;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).replication(Math.min(3, world.size())).permutationRangeBlocks(5);
    }

    private static ReplicatedObjects<Tree> trees(Communicator world) {
        return ReplicatedObjects.of(builder(world), COUNT, TestObjects.TREES);
    }

    private static void anySize(Communicator world) {
        // With few objects, some PEs have none.
        for (long count : new long[]{3, COUNT}) {
            BlockRanges own = ownRows(world, count);
            try (ReplicatedObjects<Tree> objects = ReplicatedObjects.of(builder(world), count, TestObjects.TREES)) {
                holds(objects.store().hasVariableBlockSizes(), "blocks of different sizes");
                equal(count, objects.count(), "objects");
                equal(1L, objects.submit(own, CONTENT::tree), "generation");
                BlockRanges wish = wishOf(world, count);
                equal(CONTENT.trees(wish), objects.pull(wish), "a wish");
                equal(List.of(), objects.pull(BlockRanges.EMPTY), "nothing");
                TestObjects newer = new TestObjects(2);
                LocalObjects<Tree> mine = objects.local(CONTENT::tree);
                LoopDataAccess.begin(mine, own);
                CONTENT.check(own, mine);
                mine.forEach((id, _) -> mine.set(id, newer.tree(id)));
                newer.check(own, mine);
                equal(2L, objects.submit(own, mine::get), "generation");
                BlockRanges all = BlockRanges.of(0, count);
                equal(newer.trees(all), objects.pull(all), "all");
            }
        }
    }

    private static void oneSize(Communicator world) {
        try (ReplicatedObjects<Point> objects = ReplicatedObjects.of(builder(world), COUNT, TestObjects.POINTS)) {
            holds(!objects.store().hasVariableBlockSizes(), "blocks of one size");
            equal(20L, objects.store().blockSizeBytes(), "size");
            objects.submit(ownRows(world, COUNT), CONTENT::point);
            List<Point> pulled = objects.pull(BlockRanges.of(0, COUNT));
            for (int id = 0; id < COUNT; id++) {
                equal(CONTENT.point(id), pulled.get(id), "object " + id);
            }
        }
    }

    private static void replaced(Communicator world) {
        try (ReplicatedObjects<Tree> objects = trees(world); Arena arena = Arena.ofShared()) {
            BlockRanges own = ownRows(world, COUNT);
            LocalObjects<Tree> mine = objects.local(CONTENT::tree);
            LoopDataAccess.begin(mine, own);
            objects.submit(own, mine::get);
            BlockRanges wish = wishOf(world, COUNT);
            LoopDataAccess.gain(mine, objects.store().pull(wish, arena), wish);
            CONTENT.check(wish, mine);
            // Some go, some stay, and of those that come some are here already.
            BlockRanges next = own.union(wish.slice(0, wish.blockCount() / 2));
            LoopDataAccess.gain(mine, objects.store().pull(own, arena), next);
            CONTENT.check(next, mine);
        }
    }

    private static void wrongIds(Communicator world) {
        BlockRanges all = BlockRanges.of(0, COUNT);
        boolean wrong = world.rank() == world.size() - 1;
        try (ReplicatedObjects<Tree> objects = trees(world)) {
            BlockRanges own = ownRows(world, COUNT);
            BlockRanges beyond = wrong ? BlockRanges.of(COUNT - 1, 2) : own;
            refused(() -> objects.submit(beyond, CONTENT::tree), "blocks must be in 0..60: ");
            LocalObjects<Tree> mine = objects.local(CONTENT::tree);
            LoopDataAccess.begin(mine, own);
            objects.submit(own, mine::get);
            for (BlockRanges tooMuch : List.of(BlockRanges.of(COUNT, 1), BlockRanges.of(0, 1L << 40))) {
                if (wrong) {
                    throwing(IllegalArgumentException.class, () -> objects.pull(tooMuch), "ids out of range");
                } else {
                    equal(CONTENT.trees(all), objects.pull(all), "all");
                }
            }
            long other = own.isEmpty() ? 0 : own.runEnd(0) % COUNT;
            if (!own.contains(other)) {
                equal("id must be one of this PE's, " + own + ": id=" + other,
                        throwing(IllegalArgumentException.class, () -> mine.get(other), "another PE's").getMessage(),
                        "message");
                throwing(IllegalArgumentException.class, () -> mine.set(other, CONTENT.tree(other)), "another PE's");
            }
            CONTENT.check(own, mine);
        }
    }

    /** Trees, but something is wrong with one of them, and only while writing or reading. */
    private record Faulty(long tree, boolean sizing, boolean writing, boolean reading, int beyond)
            implements
                BlockSerializer<Tree> {
        @Override
        public long sizeBytes(Tree object) {
            if (sizing && object.id() == tree) {
                throw new ArithmeticException("no size");
            }
            return TestObjects.TREES.sizeBytes(object) - (object.id() == tree ? beyond : 0);
        }

        @Override
        public void write(Tree object, MemorySegment block) {
            if (writing && object.id() == tree) {
                throw new ArithmeticException("not written");
            }
            TestObjects.TREES.write(object, block);
        }

        @Override
        public Tree read(MemorySegment block) {
            Tree object = TestObjects.TREES.read(block);
            if (reading && object.id() == tree) {
                throw new ArithmeticException("not read");
            }
            return object;
        }
    }

    private static void throwingWriter(Communicator world) {
        BlockRanges own = ownRows(world, COUNT);
        // A tree of rank 0 alone.
        List<Faulty> faults = List.of(new Faulty(3, true, false, false, 0), new Faulty(3, false, true, false, 0),
                new Faulty(3, false, false, false, 1));
        List<String> reasons = List.of("asking for the size of block 3 threw java.lang.ArithmeticException: no size",
                "a block writer threw java.lang.ArithmeticException: not written",
                "the writer of block 3 went beyond its");
        for (int i = 0; i < faults.size(); i++) {
            try (ReplicatedObjects<Tree> objects = ReplicatedObjects.of(builder(world), COUNT, faults.get(i))) {
                refused(() -> objects.submit(own, CONTENT::tree), reasons.get(i));
                equal(0L, objects.store().generation(), "generation");
            }
        }
    }

    private static void throwingReader(Communicator world) {
        BlockRanges all = BlockRanges.of(0, COUNT);
        boolean broken = world.rank() == 0;
        BlockSerializer<Tree> serializer = broken ? new Faulty(5, false, false, true, 0) : TestObjects.TREES;
        try (ReplicatedObjects<Tree> objects = ReplicatedObjects.of(builder(world), COUNT, serializer)) {
            objects.submit(ownRows(world, COUNT), CONTENT::tree);
            if (broken) {
                long bytes = TestObjects.TREES.sizeBytes(CONTENT.tree(5));
                String message = throwing(IllegalArgumentException.class, () -> objects.pull(all), "no tree")
                        .getMessage();
                equal("object 5 can't be read from its " + bytes + " bytes: not read", message, "message");
                objects.pull(BlockRanges.of(6, COUNT - 6));
            } else {
                equal(CONTENT.trees(all), objects.pull(all), "all");
                BlockRanges others = BlockRanges.of(6, COUNT - 6);
                equal(CONTENT.trees(others), objects.pull(others), "others");
            }
        }
    }

    private static void noSerializer(Communicator world) {
        boolean broken = world.rank() == 0;
        List<BlockSerializer<Tree>> serializers = new ArrayList<>();
        serializers.add(StorePrograms.nothing());
        serializers.add(new BlockSerializer<>() {
            @Override
            public OptionalLong fixedSizeBytes() {
                throw new ArithmeticException("unknown");
            }

            @Override
            public long sizeBytes(Tree object) {
                return 1;
            }

            @Override
            public void write(Tree object, MemorySegment block) {}

            @Override
            public Tree read(MemorySegment block) {
                return CONTENT.tree(0);
            }
        });
        for (BlockSerializer<Tree> serializer : serializers) {
            String message = "" + throwing(IllegalArgumentException.class,
                    () -> ReplicatedObjects.of(builder(world), COUNT, broken ? serializer : TestObjects.TREES),
                    "no serializer").getMessage();
            holds(message.startsWith((broken ? "" : "original rank 0: ")
                    + "serializer must be given and say its size"), message);
        }
    }

    private static void builderUnchanged(Communicator world) {
        ReStoreBuilder callers = builder(world).blocks(7).blockSizeBytes(3);
        try (ReplicatedObjects<Tree> objects = ReplicatedObjects.of(callers, COUNT, TestObjects.TREES);
                ReplicatedArray<int[]> rows = ReplicatedArray.ofInts(callers, 5, 2);
                ReStore store = callers.build()) {
            equal(COUNT, objects.count(), "objects");
            equal(5L, rows.count(), "rows");
            equal(7L, store.blockCount(), "blocks of the caller's");
            equal(3L, store.blockSizeBytes(), "their size");
            equal(256L, objects.store().blockSizeBytes(), "typical size, unless told");
        }
        try (ReplicatedObjects<Tree> objects = ReplicatedObjects.of(builder(world).variableBlockSizes(99), COUNT,
                TestObjects.TREES)) {
            equal(99L, objects.store().blockSizeBytes(), "typical size");
        }
    }

    private static void refused(Runnable submission, String reason) {
        String message = ""
                + throwing(InvalidSubmissionException.class, submission::run, "a wrong submission").getMessage();
        holds(message.contains(reason), reason + " in: " + message);
    }
}

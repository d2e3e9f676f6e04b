package org.restorej.rows;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.LoopDataAccess;
import org.restorej.placement.Placement;

/** What rows in arrays promise while nobody fails. */
public final class RowPrograms implements ContractSuite {
    /** All programs. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("rowsOfEveryKindOfArrayComeBack", 1, RowPrograms::everyKind),
            new ContractProgram("elementsKeepTheirPlacesAndValues", 1, RowPrograms::elements),
            new ContractProgram("aNewGenerationIsSubmittedFromWhereTheRowsAre", 1, RowPrograms::newGeneration),
            new ContractProgram("pulledRowsReplaceAll", 1, RowPrograms::replaced),
            new ContractProgram("morePulledRowsThanAnArrayHasHarmNobodyElse", 1, RowPrograms::tooManyRows),
            new ContractProgram("aWrongFirstRowOrLengthRefusesTheSubmissionOnAll", 1, RowPrograms::wrongSubmissions),
            new ContractProgram("aWrongRowLengthIsNamed", 1, RowPrograms::wrongRowLength));

    private static final TestRows<int[]> INTS = new TestRows<>(ArrayKind.INTS, 6, 1);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world) {
        return ReStore.builder(world).replication(Math.min(3, world.size())).permutationRangeBlocks(5);
    }

    public static BlockRanges ownRows(Communicator world, long rows) {
        Placement runs = new Placement(world.size(), rows, 1);
        return BlockRanges.of(runs.firstPosition(world.rank()), runs.blocksIn(world.rank()));
    }

    /** Rows here and there, different ones on every PE. */
    public static BlockRanges wishOf(Communicator world, long rows) {
        Random random = new Random(world.rank());
        long first = random.nextLong(rows);
        long second = random.nextLong(rows);
        return BlockRanges.of(BlockRange.of(first, 1 + random.nextLong(rows - first)), BlockRange.of(second, 1));
    }

    private static void everyKind(Communicator world) {
        roundTrip(world, new TestRows<>(ArrayKind.BYTES, 5, 1), ReplicatedArray::ofBytes);
        roundTrip(world, new TestRows<>(ArrayKind.INTS, 3, 2), ReplicatedArray::ofInts);
        roundTrip(world, new TestRows<>(ArrayKind.LONGS, 1, 3), ReplicatedArray::ofLongs);
        roundTrip(world, new TestRows<>(ArrayKind.FLOATS, 7, 4), ReplicatedArray::ofFloats);
        roundTrip(world, new TestRows<>(ArrayKind.DOUBLES, 32, 5), ReplicatedArray::ofDoubles);
    }

    /** Makes an array of one kind. */
    private interface Factory<A> {
        ReplicatedArray<A> make(ReStoreBuilder builder, long rows, int rowLength);
    }

    private static <A> void roundTrip(Communicator world, TestRows<A> content, Factory<A> factory) {
        // With few rows, some PEs have none.
        for (long rows : new long[]{3, 61}) {
            try (ReplicatedArray<A> array = factory.make(builder(world), rows, content.rowLength())) {
                equal(rows, array.count(), "rows");
                equal(content.rowLength(), array.rowLength(), "row length");
                BlockRanges own = ownRows(world, rows);
                equal(1L, array.submit(own, content.of(own)), "generation");
                BlockRanges all = BlockRanges.of(0, rows);
                content.check(all, array.pull(all));
                BlockRanges wish = wishOf(world, rows);
                content.check(wish, array.pull(wish));
                content.check(BlockRanges.EMPTY, array.pull(BlockRanges.EMPTY));
            }
        }
    }

    private static void elements(Communicator world) {
        int rows = 4 * world.size();
        try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(builder(world), rows, 3)) {
            double[] mine = new double[12];
            for (int i = 0; i < mine.length; i++) {
                mine[i] = 12 * world.rank() + i + 0.25;
            }
            array.submit(BlockRanges.of(4L * world.rank(), 4), mine);
            double[] pulled = array.pull(BlockRanges.of(BlockRange.of(1, 1), BlockRange.of(rows - 1, 1)));
            equal(List.of(3.25, 4.25, 5.25, 3.0 * rows - 2.75, 3.0 * rows - 1.75, 3.0 * rows - 0.75),
                    Arrays.stream(pulled).boxed().toList(), "rows 1 and " + (rows - 1));
        }
    }

    private static void newGeneration(Communicator world) {
        long rows = 50;
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(builder(world), rows, INTS.rowLength())) {
            array.submit(ownRows(world, rows), INTS.of(ownRows(world, rows)));
            // Every PE takes over the rows of the next one but the last of these, and the last row of its own.
            int next = (world.rank() + 1) % world.size();
            Placement runs = new Placement(world.size(), rows, 1);
            long last = runs.firstPosition(next) + runs.blocksIn(next) - 1;
            long ownLast = runs.firstPosition(world.rank()) + runs.blocksIn(world.rank()) - 1;
            BlockRanges taken = BlockRanges.of(runs.firstPosition(next), runs.blocksIn(next))
                    .minus(BlockRanges.of(last, 1)).union(BlockRanges.of(ownLast, 1));
            int[] values = new int[(int) taken.blockCount() * INTS.rowLength()];
            TestRows<int[]> newer = INTS.inVersion(2);
            newer.write(taken, values);
            equal(2L, array.submit(taken, values), "generation");
            newer.check(BlockRanges.of(0, rows), array.pull(BlockRanges.of(0, rows)));
        }
    }

    private static void replaced(Communicator world) {
        long rows = 50;
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(builder(world), rows, INTS.rowLength());
                Arena arena = Arena.ofShared()) {
            BlockRanges own = ownRows(world, rows);
            LocalRows<int[]> mine = array.local(INTS::of);
            LoopDataAccess.begin(mine, own);
            array.submit(own, mine.values());
            BlockRanges wish = wishOf(world, rows);
            LoopDataAccess.gain(mine, array.store().pull(wish, arena), wish);
            equal(wish, mine.ids(), "rows");
            INTS.check(wish, mine.values());
            // Some go, some stay, and of those that come some are here already.
            BlockRanges next = own.union(wish.slice(0, wish.blockCount() / 2));
            LoopDataAccess.gain(mine, array.store().pull(own, arena), next);
            equal(next, mine.ids(), "rows");
            INTS.check(next, mine.values());
        }
    }

    private static void tooManyRows(Communicator world) {
        long rows = 20;
        BlockRanges all = BlockRanges.of(0, rows);
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(builder(world), rows, INTS.rowLength())) {
            array.submit(ownRows(world, rows), INTS.of(ownRows(world, rows)));
            if (world.rank() == 0) {
                equal("rows of 6 elements must be at most 357913941, since a Java array has at most 2147483647 "
                        + "elements: 357913942 rows",
                        throwing(IllegalArgumentException.class, () -> array.pull(BlockRanges.of(0, 357_913_942)),
                                "more rows than an array has").getMessage(),
                        "message");
            } else {
                INTS.check(all, array.pull(all));
            }
            INTS.check(all, array.pull(all));
        }
    }

    private static void wrongSubmissions(Communicator world) {
        long rows = 20;
        int last = world.size() - 1;
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(builder(world), rows, INTS.rowLength())) {
            BlockRanges own = ownRows(world, rows);
            int[] values = INTS.of(own);
            boolean wrong = world.rank() == last;
            refused(() -> array.submit(wrong ? BlockRanges.of(rows, own.blockCount()) : own, values),
                    "blocks must be in 0..19: ");
            int[] torn = Arrays.copyOf(values, values.length + 1);
            refused(() -> array.submit(own, wrong ? torn : values),
                    "values must be " + new Placement(world.size(), rows, 1).blocksIn(last)
                            + " rows of 6 elements: length=");
            equal(0L, array.store().generation(), "generation");
        }
    }

    private static void refused(Runnable submission, String reason) {
        String message = ""
                + throwing(InvalidSubmissionException.class, submission::run, "a wrong submission").getMessage();
        holds(message.contains(reason), reason + " in: " + message);
    }

    private static void wrongRowLength(Communicator world) {
        equal("rowLength must be at least 1: rowLength=0",
                throwing(IllegalArgumentException.class, () -> ReplicatedArray.ofLongs(builder(world), 5, 0),
                        "rows without elements").getMessage(),
                "message");
        // On one PE only: all others refuse too, instead of waiting for it, and say who is at fault.
        String message = "" + throwing(IllegalArgumentException.class,
                () -> ReplicatedArray.ofLongs(builder(world), 5, world.rank() == 0 ? -3 : 2), "a negative length")
                .getMessage();
        equal((world.rank() == 0 ? "" : "original rank 0: ") + "rowLength must be at least 1: rowLength=-3", message,
                "message");
    }
}

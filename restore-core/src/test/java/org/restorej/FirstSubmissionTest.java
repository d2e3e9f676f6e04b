package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.placement.FailedRanks;
import org.restorej.rows.ReplicatedArray;
import org.restorej.testing.Failures;

/** A store of which nothing is submitted: its blocks are nowhere but with the fallback. */
class FirstSubmissionTest {
    private static final long BLOCKS = 120;

    /** The sum of all rows, as the survivors of PE 1 read it. */
    private static List<PeOutcome<Double>> sums(UnaryOperator<ReStoreBuilder> settings) {
        return LimitedRun.outcomes(4, world -> {
            try (ReplicatedArray<double[]> array = ReplicatedArray
                    .ofDoubles(settings.apply(ReStore.builder(world).replication(3)), BLOCKS, 1)) {
                Communicator survivors = Failures.lose(world, 1);
                array.store().recover(survivors);
                return Arrays.stream(array.pull(BlockRanges.of(0, BLOCKS))).sum();
            }
        });
    }

    private static void readNumbers(BlockRange blocks, MemorySegment destination) {
        for (long i = 0; i < blocks.count(); i++) {
            destination.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, (double) (blocks.first() + i));
        }
    }

    @Test
    void aFailureBeforeItLeavesItsBlocksToTheFallback() {
        double sum = BLOCKS * (BLOCKS - 1) / 2.0;
        assertEquals(List.of(sum, sum, sum), PeOutcome.values(
                sums(builder -> builder.fallback(FirstSubmissionTest::readNumbers))));
    }

    @Test
    void aFailureBeforeItWithoutAFallbackIsALossOnEverySurvivor() {
        List<PeOutcome<Double>> outcomes = sums(builder -> builder);
        for (int survivor : new int[]{0, 2, 3}) {
            Throwable thrown = ((PeOutcome.Threw<Double>) outcomes.get(survivor)).thrown();
            IrrecoverableDataLossException loss = assertInstanceOf(IrrecoverableDataLossException.class, thrown);
            assertEquals(
                    "no PE holds blocks {0..119}, as nothing had been submitted, and no fallback has read them: failed "
                            + "store ranks {1}",
                    loss.getMessage());
            assertEquals(BlockRanges.of(0, BLOCKS), loss.lostBlocks());
            assertEquals(FailedRanks.of(1), loss.failedRanks());
        }
    }

    /** Knows blocks of different sizes: block i has i % 5 bytes, all i. */
    private static final class SizedFallback implements Fallback {
        @Override
        public void read(BlockRange blocks, MemorySegment destination) {
            long offset = 0;
            for (long id = blocks.first(); id < blocks.end(); id++) {
                destination.asSlice(offset, id % 5).fill((byte) id);
                offset += id % 5;
            }
        }

        @Override
        public BlockRange.Sizes sizes(BlockRange blocks) {
            return id -> id % 5;
        }
    }

    @Test
    void readsBeforeTheFirstSubmissionAskTheFallbackAlone() {
        assertEquals(List.of(true, true, true), LocalCluster.run(3, world -> {
            BlockRanges wanted = BlockRanges.of(world.rank(), 30);
            try (ReStore sized = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(2)
                    .fallback(new SizedFallback())
                    .build(); ReStore none = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).build()) {
                sized.pull(wanted, (id, block) -> {
                    Checks.equal(id % 5, block.byteSize(), "bytes of block " + id);
                    Checks.holds(block.byteSize() == 0 || block.get(ValueLayout.JAVA_BYTE, 0) == id, "block " + id);
                });
                Checks.equal(0L, sized.generation(), "generation");
                String message = ""
                        + Checks.throwing(IllegalStateException.class, () -> none.pull(wanted, Arena.global()),
                                "a pull before a submission").getMessage();
                return message.startsWith("pull needs a submission: nothing has been submitted");
            }
        }));
    }

    @Test
    void aFallbackThatKnowsNoSizesReadsNoBlocksOfDifferentSizes() {
        LocalCluster.run(2, world -> {
            try (ReStore store = ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(2)
                    .fallback((blocks, destination) -> {}).build()) {
                return "" + Checks.throwing(IllegalStateException.class,
                        () -> store.pull(BlockRanges.of(0, 3), Arena.global()), "a pull of blocks of unknown sizes");
            }
        });
    }
}

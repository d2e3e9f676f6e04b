package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;

/** Data of which each part that a balancer hands out is two blocks of the store. */
class PartsOfSeveralBlocksTest {
    private static final int PARTS = 6;

    private static final class Pairs extends LoopData {
        private final long[] values = new long[2 * PARTS];

        Pairs(ReStore store) {
            super(store);
        }

        private BlockRanges blocks() {
            return BlockRanges.of(ids().runs().stream().map(run -> BlockRange.of(2 * run.first(), 2 * run.count()))
                    .toList());
        }

        @Override
        protected long blocksPerPart() {
            return 2;
        }

        @Override
        protected void initialize(BlockRanges mine) {
            Arrays.setAll(values, block -> block);
        }

        @Override
        protected Submission submission() {
            Submission submission = new Submission();
            for (BlockRange run : blocks().runs()) {
                submission.add(run,
                        MemorySegment.ofArray(Arrays.copyOfRange(values, (int) run.first(), (int) run.end())));
            }
            return submission;
        }

        @Override
        protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
            blocks.forEach((id, block) -> values[(int) id] = block.get(ValueLayout.JAVA_LONG, 0));
        }

        void grow() {
            forEachBlock(block -> values[block]++);
        }

        long sum() {
            long[] sum = {0};
            forEachBlock(block -> sum[0] += values[block]);
            return sum[0];
        }

        private void forEachBlock(IntConsumer action) {
            BlockRanges mine = blocks();
            for (long place = 0; place < mine.blockCount(); place++) {
                action.accept((int) mine.blockAt(place));
            }
        }
    }

    static Stream<UnaryOperator<CheckpointLoop>> options() {
        return Stream.of(loop -> loop, CheckpointLoop::inBackground, CheckpointLoop::incremental);
    }

    @ParameterizedTest
    @MethodSource("options")
    void survivorsGoOnWithAllBlocksOfEachPart(UnaryOperator<CheckpointLoop> options) {
        assertEquals(Collections.nCopies(2, 66L + 8 * 2 * PARTS), LocalCluster.run(3, world -> {
            try (ReStore store = ReStore.builder(world).blocks(2 * PARTS).blockSizeBytes(Long.BYTES).build();
                    CheckpointLoop loop = options.apply(new CheckpointLoop(world, LoadBalancer.equal(3, PARTS),
                            CheckpointInterval.iterations(2)))) {
                Pairs pairs = loop.keep(new Pairs(store));
                loop.run(8, (comm, iteration) -> {
                    if (iteration == 5 && comm.size() == 3) {
                        FailureSimulation.of(comm).fail(1);
                    }
                    pairs.grow();
                });
                return loop.evaluate(comm -> comm.allReduce(pairs.sum(), Reduction.SUM));
            }
        }));
    }
}

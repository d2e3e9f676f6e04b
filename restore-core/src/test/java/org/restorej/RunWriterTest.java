package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

class RunWriterTest {
    private static final int PES = 3;
    private static final long BLOCKS_PER_PE = 100;

    /** Writes the ids of the blocks, and remembers the runs. */
    private static class Ids implements BlockRange.RunWriter {
        private final List<BlockRange> runs = new ArrayList<>();

        @Override
        public void write(long blockId, MemorySegment block) {
            throw new AssertionError("block by block");
        }

        @Override
        public void writeRun(BlockRange blocks, MemorySegment bytes) {
            runs.add(blocks);
            for (long i = 0; i < blocks.count(); i++) {
                bytes.setAtIndex(ValueLayout.JAVA_LONG, i, blocks.first() + i);
            }
        }
    }

    private static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(PES * BLOCKS_PER_PE).blockSizeBytes(Long.BYTES).replication(2).build();
    }

    private static BlockRange blocksOf(int rank) {
        return BlockRange.of(rank * BLOCKS_PER_PE, BLOCKS_PER_PE);
    }

    @Test
    void runsAreWrittenAtOnce() {
        LocalCluster.run(PES, world -> {
            BlockRange mine = blocksOf(world.rank());
            Ids writer = new Ids();
            try (ReStore store = store(world); Arena arena = Arena.ofConfined()) {
                store.submit(new Submission().add(BlockRange.of(mine.first(), 0), writer).add(mine, writer));
                equal(List.of(mine), writer.runs, "runs");
                BlockRange others = blocksOf((world.rank() + 1) % PES);
                MemorySegment read = arena.allocate(BLOCKS_PER_PE * Long.BYTES, Long.BYTES);
                store.pull(BlockRanges.of(others), read);
                for (long i = 0; i < BLOCKS_PER_PE; i++) {
                    equal(others.first() + i, read.getAtIndex(ValueLayout.JAVA_LONG, i), "block");
                }
            }
            return true;
        });
    }

    @Test
    void aWriterThatGoesBeyondItsRunIsNamedOnAllPes() {
        LocalCluster.run(PES, world -> {
            BlockRange mine = blocksOf(world.rank());
            Ids beyond = new Ids() {
                @Override
                public void writeRun(BlockRange blocks, MemorySegment bytes) {
                    super.writeRun(world.rank() == 1 ? BlockRange.of(blocks.first(), blocks.count() + 1) : blocks,
                            bytes);
                }
            };
            try (ReStore store = store(world)) {
                InvalidSubmissionException refused = throwing(InvalidSubmissionException.class,
                        () -> store.submit(new Submission().add(mine, beyond)), "beyond");
                equal(true,
                        String.valueOf(refused.getMessage())
                                .contains("the writer of blocks 100..199 went beyond their 800 bytes"),
                        String.valueOf(refused.getMessage()));
            }
            return true;
        });
    }
}

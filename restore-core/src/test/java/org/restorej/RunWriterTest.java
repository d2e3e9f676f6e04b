package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
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
import org.restorej.internal.memory.NativeMemory;

class RunWriterTest {
    private static final int PES = 3;
    private static final long BLOCKS_PER_PE = 100;

    /** Remembers the runs, and accepts no single block. */
    private abstract static class Runs implements BlockRange.RunWriter {
        final List<BlockRange> runs = new ArrayList<>();

        @Override
        public void write(long blockId, MemorySegment block) {
            throw new AssertionError("block by block");
        }
    }

    /** Writes the ids of the blocks. */
    private static class Ids extends Runs {
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

    /** Writes long blocks. A block has its id, at the place of its run, and zeros. */
    private static class BigBlocks extends Runs {
        private static final long BYTES = 64 << 10;

        @Override
        public void writeRun(BlockRange blocks, MemorySegment bytes) {
            equal(blocks.count() * BYTES, bytes.byteSize(), "bytes");
            for (long i = 0; i < blocks.count(); i++) {
                // The other bytes must be zeros, also in a buffer that is used again.
                bytes.set(ValueLayout.JAVA_LONG, i * BYTES + (long) runs.size() * Long.BYTES, blocks.first() + i);
            }
            runs.add(blocks);
        }

        private void check(long id, MemorySegment block) {
            int place = 0;
            while (!runs.get(place).contains(id)) {
                place++;
            }
            for (long i = 0; i < BYTES / Long.BYTES; i++) {
                equal(i == place ? id : 0L, block.getAtIndex(ValueLayout.JAVA_LONG, i), "long " + i + " of " + id);
            }
        }
    }

    @Test
    void aFileOfMoreThanTheBufferIsWrittenInRuns() throws IOException {
        BigBlocks writer = new BigBlocks();
        BlockRange nine = BlockRange.of(3, 9);
        long[] next = {nine.first()};
        new Submission().add(nine, writer).writeTo(BigBlocks.BYTES, (blocks, bytes) -> {
            for (long i = 0; i < blocks; i++) {
                writer.check(next[0]++, bytes.asSlice(i * BigBlocks.BYTES, BigBlocks.BYTES));
            }
        });
        equal(nine.end(), next[0], "blocks");
        // The buffer has 256 KiB.
        equal(List.of(BlockRange.of(3, 4), BlockRange.of(7, 4), BlockRange.of(11, 1)), writer.runs, "runs");
    }

    @Test
    void aSubmitInRoundsIsWrittenInRuns() {
        // A round in the background has 16 MiB: 256 of these blocks.
        BlockRange all = BlockRange.of(0, 259);
        LocalCluster.run(2, world -> {
            BigBlocks writer = new BigBlocks();
            try (ReStore store = ReStore.builder(world).blocks(all.count()).blockSizeBytes(BigBlocks.BYTES)
                    .replication(1).build()) {
                Submission mine = new Submission();
                store.submitAsync(world.rank() == 0 ? mine.add(all, writer) : mine).await();
                equal(world.rank() == 0 ? List.of(BlockRange.of(0, 256), BlockRange.of(256, 3)) : List.of(),
                        writer.runs, "runs");
                store.pull(world.rank() == 0 ? BlockRanges.of(all) : BlockRanges.EMPTY, writer::check);
            }
            return true;
        });
    }

    @Test
    void aCopyIsWrittenInOneRun() throws IOException {
        Ids writer = new Ids();
        try (Arena arena = Arena.ofConfined()) {
            Submission copy = new Submission().add(BlockRange.of(7, 0), writer).add(blocksOf(1), writer)
                    .copy(arena, Long.BYTES);
            equal(List.of(blocksOf(1)), writer.runs, "runs");
            copy.writeTo(Long.BYTES, (blocks, bytes) -> {
                for (long i = 0; i < blocks; i++) {
                    equal(blocksOf(1).first() + i, bytes.getAtIndex(ValueLayout.JAVA_LONG, i), "block");
                }
            });
        }
    }

    /** A writer may need its runs as buffers, which have at most 2 GiB. */
    @Test
    void aLongCopyIsWrittenInSeveralRuns() {
        BigBlocks writer = new BigBlocks();
        BlockRange all = BlockRange.of(5, 515);
        try (Arena arena = Arena.ofConfined()) {
            Submission copy = new Submission().add(all, writer).copy(arena, BigBlocks.BYTES);
            // 32 MiB each.
            equal(List.of(BlockRange.of(5, 512), BlockRange.of(517, 3)), writer.runs, "runs");
            equal(BlockRanges.of(all), copy.ids(), "ids");
        }
    }

    /** Each range has a longer block than the one before. */
    @Test
    void aFileOfGrowingBlocksNeedsMemoryForTheLargestOne() throws IOException {
        long before = NativeMemory.openBytes();
        Submission growing = new Submission();
        for (int id = 0; id < 16; id++) {
            long bytes = (id + 1L) << 20;
            growing.add(BlockRange.of(id, 1), _ -> bytes, (_, block) -> {
                long open = NativeMemory.openBytes() - before;
                equal(true, open < bytes + (1 << 20), open + " bytes for a block of " + bytes);
            });
        }
        growing.writeTo(1, (_, _) -> {});
    }

    /** Even if all sizes are equal. */
    @Test
    void blocksWithSizesAreWrittenOneByOne() {
        LocalCluster.run(PES, world -> {
            List<Long> written = new ArrayList<>();
            BlockRange.RunWriter writer = new BlockRange.RunWriter() {
                @Override
                public void write(long blockId, MemorySegment block) {
                    equal((long) Long.BYTES, block.byteSize(), "size");
                    written.add(blockId);
                }

                @Override
                public void writeRun(BlockRange blocks, MemorySegment bytes) {
                    throw new AssertionError("a run of blocks with sizes");
                }
            };
            BlockRange mine = BlockRange.of(3L * world.rank(), 3);
            Submission sized = new Submission().add(mine, _ -> Long.BYTES, writer);
            try (ReStore store = ReStore.builder(world).blocks(3 * PES).variableBlockSizes(Long.BYTES).replication(2)
                    .build(); Arena arena = Arena.ofConfined()) {
                List<Long> each = List.of(mine.first(), mine.first() + 1, mine.first() + 2);
                store.submit(sized);
                equal(each, written, "submit");
                written.clear();
                sized.copy(arena, 1);
                equal(each, written, "copy");
                written.clear();
                sized.writeTo(1, (_, _) -> {});
                equal(each, written, "file");
            } catch (IOException never) {
                throw new AssertionError(never);
            }
            return true;
        });
    }
}

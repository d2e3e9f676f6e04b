package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;

class ReplicaRunTest {
    /** Where the chunks of the second of two PEs begin: positions 23 to 45 in pieces from 23 and 34, cut at fours. */
    private static final long[] CHUNKS = {23, 24, 28, 32, 34, 36, 40, 44, 46};

    private static final long FIRST = CHUNKS[0];
    private static final long END = CHUNKS[CHUNKS.length - 1];
    private static final ChunkGrid GRID = new ChunkGrid(new ReplicaRing(new Placement(2, 46, 1), 2, 1), 4);

    private final SegmentPool pool = new SegmentPool();
    private final PooledMemory memory = pool.open();

    @AfterEach
    void free() {
        memory.close();
        pool.close();
    }

    private ReplicaRun run(BlockLayout layout, ChunkGrid grid) {
        ReplicaRun run = new ReplicaRun(FIRST, layout, grid, memory, memory);
        run.put(memory.allocate(layout.bytes() + 10, 8).fill((byte) 7));
        return run;
    }

    private ReplicaRun uniform() {
        return run(new UniformLayout(END - FIRST, 3), GRID);
    }

    private static long[] sizes(long size) {
        long[] sizes = new long[(int) (END - FIRST)];
        Arrays.fill(sizes, size);
        return sizes;
    }

    private MemorySegment written(long... sizes) {
        MemorySegment written = memory.allocate((long) sizes.length * VariableLayout.SIZE_BYTES, 8);
        for (int i = 0; i < sizes.length; i++) {
            VariableLayout.putSize(written, i, sizes[i]);
        }
        return written;
    }

    @Test
    void containsWhatBeginsAndEndsInIt() {
        ReplicaRun run = uniform();
        assertEquals(FIRST, run.first());
        assertEquals(END, run.end());
        assertSame(memory, run.memory());
        for (long position = FIRST - 2; position < END + 3; position++) {
            for (long count = 0; count < 30; count++) {
                assertEquals(FIRST <= position && position + count <= END, run.contains(position, count),
                        position + " + " + count);
            }
        }
        assertFalse(run.contains(FIRST, Long.MAX_VALUE));
    }

    @Test
    void itsBytesAreThoseOfItsBlocks() {
        ReplicaRun run = uniform();
        assertEquals((END - FIRST) * 3, run.bytes());
        long address = run.at(FIRST, END - FIRST).address();
        for (long position = FIRST; position < END; position++) {
            for (long count = 0; count <= END - position; count++) {
                assertEquals(count * 3, run.at(position, count).byteSize());
                assertEquals(address + (position - FIRST) * 3, run.at(position, count).address());
            }
        }
    }

    /** In such an order that a wrong one is seen before it can lead out of the run. */
    @Test
    void theChecksumsOfPositionsAreThoseOfTheirWholeChunks() {
        ReplicaRun run = uniform();
        for (long position = FIRST; position < END; position++) {
            for (long count = 1; count <= END - position; count++) {
                int first = 0;
                while (CHUNKS[first] < position) {
                    first++;
                }
                int end = first;
                while (end + 1 < CHUNKS.length && CHUNKS[end + 1] <= position + count) {
                    end++;
                }
                MemorySegment checksums = run.checksums(position, count);
                assertEquals((end - first) * 4L, checksums.byteSize(), position + " + " + count);
                assertEquals(end == first ? 0 : run.checksums(FIRST, END - FIRST).address() + first * 4L,
                        checksums.address(), position + " + " + count);
            }
        }
        assertEquals((CHUNKS.length - 1) * 4L, run.overheadBytes());
    }

    @Test
    void theLastRunEndsWithAChunkWhereFewerBlocksThanPesLeaveNoneBehindIt() {
        ChunkGrid grid = new ChunkGrid(new ReplicaRing(new Placement(4, 3, 1), 1, 1), 4);
        ReplicaRun run = new ReplicaRun(2, new UniformLayout(1, 3), grid, memory, memory);
        assertEquals(4, run.checksums(2, 1).byteSize());
    }

    @Test
    void aChunkIsSoundWhileItsBytesAreThoseThatItWasSealedWith() {
        ReplicaRun run = uniform();
        for (int chunk = 0; chunk + 1 < CHUNKS.length; chunk++) {
            run.at(CHUNKS[chunk], 1).set(ValueLayout.JAVA_BYTE, 0, (byte) chunk);
            run.seal(CHUNKS[chunk]);
        }
        for (int chunk = 0; chunk + 1 < CHUNKS.length; chunk++) {
            assertEquals(Checksum.of(run.at(CHUNKS[chunk], CHUNKS[chunk + 1] - CHUNKS[chunk])),
                    run.checksums(FIRST, END - FIRST).getAtIndex(ValueLayout.JAVA_INT, chunk));
            assertTrue(run.isSound(CHUNKS[chunk]));
            run.at(CHUNKS[chunk + 1] - 1, 1).set(ValueLayout.JAVA_BYTE, 2, (byte) 99);
            assertFalse(run.isSound(CHUNKS[chunk]));
        }
    }

    @Test
    void theOverheadOfBlocksOfAnySizesIsTheirLayoutToo() {
        VariableLayout layout = new VariableLayout(written(sizes(5)), memory);
        assertEquals((END - FIRST) * 6 + 8, layout.overheadBytes());
        assertEquals(layout.overheadBytes() + (CHUNKS.length - 1) * 4L, run(layout, GRID).overheadBytes());
    }

    @Test
    void emptyBlocksAreSound() {
        ReplicaRun run = run(new VariableLayout(written(sizes(0)), memory), GRID);
        for (int chunk = 0; chunk + 1 < CHUNKS.length; chunk++) {
            run.seal(CHUNKS[chunk]);
            assertTrue(run.isSound(CHUNKS[chunk]));
        }
    }

    @Test
    void sizesThatLeadOutOfTheRunAreDamaged() {
        MemorySegment sizes = written(sizes(5));
        ReplicaRun run = run(new VariableLayout(sizes, memory), GRID);
        for (int chunk = 0; chunk + 1 < CHUNKS.length; chunk++) {
            run.seal(CHUNKS[chunk]);
            assertTrue(run.isSound(CHUNKS[chunk]));
        }
        VariableLayout.putSize(sizes, 43 - FIRST, 16);
        assertFalse(run.isSound(40), "it ends one byte behind the end");
        assertTrue(run.isSound(36));
        VariableLayout.putSize(sizes, 0, VariableLayout.MAX_BLOCK_BYTES);
        for (int chunk = 0; chunk + 1 < CHUNKS.length; chunk++) {
            assertFalse(run.isSound(CHUNKS[chunk]));
        }
    }

    /** 40 blocks, the last 8 of which are found from a mark of their own. */
    @Test
    void blocksThatBeginBehindTheirEndOrBeforeTheRunAreDamaged() {
        ChunkGrid chunks = new ChunkGrid(new ReplicaRing(new Placement(1, 40, 1), 1, 1), 8);
        long[] fives = new long[40];
        Arrays.fill(fives, 5);
        MemorySegment sizes = written(fives);
        MemorySegment marks = memory.allocate(16, 8);
        ReplicaRun run = new ReplicaRun(0, new VariableLayout(sizes, (bytes, alignment) -> marks), chunks, memory,
                memory);
        run.put(memory.allocate(200, 8).fill((byte) 7));
        for (long chunk = 0; chunk < 40; chunk += 8) {
            run.seal(chunk);
            assertTrue(run.isSound(chunk));
        }
        VariableLayout.putSize(sizes, 20, 55);
        assertTrue(run.isSound(8));
        assertFalse(run.isSound(24), "it begins at 170 and ends at 160");
        assertTrue(run.isSound(32));
        marks.setAtIndex(ValueLayout.JAVA_LONG, 0, -1);
        assertFalse(run.isSound(0));
    }
}

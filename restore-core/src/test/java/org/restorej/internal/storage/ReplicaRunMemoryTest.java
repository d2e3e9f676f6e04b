package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import it.unimi.dsi.fastutil.longs.Long2LongRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.placement.ReplicaRing;
import org.restorej.placement.Placement;

class ReplicaRunMemoryTest {
    /** A run is one chunk. */
    private static final ChunkGrid GRID = new ChunkGrid(new ReplicaRing(new Placement(1, 1L << 41, 1), 1, 1), 1L << 41);
    /** For the checksum of a run. */
    private static final long PAGE_BYTES = 4096;

    private final SegmentPool pool = new SegmentPool();
    /** What the layouts have taken. */
    private final List<MemorySegment> outlines = new ArrayList<>();

    @AfterEach
    void free() {
        pool.close();
    }

    /** Blocks of one size, the layout of which takes so many bytes. */
    private ReplicaRun.Layouts layouts(long outlineBytes, long blockSizeBytes) {
        return (first, end, allocator) -> {
            outlines.add(allocator.allocate(outlineBytes));
            return new UniformLayout(end - first, blockSizeBytes);
        };
    }

    private List<ReplicaRun> each(long outlineBytes, long blockSizeBytes, Long2LongSortedMap bounds) {
        return ReplicaRun.each(bounds, layouts(outlineBytes, blockSizeBytes), GRID, pool);
    }

    private List<ReplicaRun> together(long outlineBytes, long blockSizeBytes, Long2LongSortedMap bounds) {
        return ReplicaRun.together(bounds, layouts(outlineBytes, blockSizeBytes), GRID, pool);
    }

    private static Long2LongSortedMap runs(long... firstsAndEnds) {
        Long2LongSortedMap runs = new Long2LongRBTreeMap();
        for (int i = 0; i < firstsAndEnds.length; i += 2) {
            runs.put(firstsAndEnds[i], firstsAndEnds[i + 1]);
        }
        return runs;
    }

    @Test
    void theLayoutsOfRunsTakeMultiplesOfAPage() {
        for (long[] bytesAndTaken : new long[][]{{0, 0}, {1, 4096}, {4095, 4096}, {4096, 4096}, {4097, 8192}}) {
            long before = pool.freshReplicaBytes();
            List<ReplicaRun> runs = each(bytesAndTaken[0], 1, runs(10, 310));
            assertEquals(bytesAndTaken[0], outlines.getLast().byteSize());
            assertEquals(bytesAndTaken[1] + PAGE_BYTES + 300, pool.freshReplicaBytes() - before);
            assertEquals(bytesAndTaken[1] + PAGE_BYTES + 300, runs.getFirst().memory().bytes());
            runs.getFirst().memory().close();
        }
    }

    @Test
    void runsOfTheirOwnAreFreedOneByOne() {
        List<ReplicaRun> runs = each(8, 1, runs(10, 310, 400, 405));
        assertEquals(List.of(10L, 400L), runs.stream().map(ReplicaRun::first).toList());
        assertEquals(List.of(310L, 405L), runs.stream().map(ReplicaRun::end).toList());
        MemorySegment first = runs.getFirst().at(10, 300);
        runs.getLast().at(400, 5).fill((byte) 1);
        runs.getLast().memory().close();
        assertFalse(outlines.getLast().scope().isAlive());
        first.fill((byte) 2);
        runs.getFirst().memory().close();
        assertFalse(first.scope().isAlive());
        assertFalse(outlines.getFirst().scope().isAlive());
    }

    @Test
    void runsTogetherBeginOnCacheLinesOfOneMemory() {
        List<ReplicaRun> runs = together(8, 1, runs(0, 64, 100, 165, 200, 201, 300, 363));
        long address = runs.getFirst().at(0, 1).address();
        assertEquals(0, address % 64);
        assertEquals(List.of(0L, 64L, 192L, 256L),
                runs.stream().map(run -> run.at(run.first(), 1).address() - address).toList());
        assertEquals(320, runs.getFirst().memory().bytes());
        assertEquals(1, runs.stream().map(ReplicaRun::memory).distinct().count());
        runs.getFirst().memory().close();
        assertEquals(List.of(), together(8, 1, runs()));
        assertEquals(0, each(8, 1, runs()).size());
    }

    @Test
    void nothingIsKeptOfRunsThatFindNoMemory() {
        Long2LongSortedMap tooMany = runs(0, 1, 1, 1L << 40);
        assertThrows(OutOfMemoryError.class, () -> each(8, 1 << 20, tooMany));
        assertThrows(OutOfMemoryError.class, () -> together(SegmentPool.SLAB_BYTES, 1 << 20, tooMany));
        assertEquals(4, outlines.size());
        outlines.forEach(outline -> assertFalse(outline.scope().isAlive()));
        assertEquals(0, pool.spareBytes());
    }
}

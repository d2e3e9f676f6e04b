package org.restorej.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.internal.storage.SegmentPool.Slab;
import org.restorej.internal.memory.MappedMemory;

class SegmentPoolTest {
    private final SegmentPool pool = new SegmentPool();

    @AfterEach
    void free() {
        pool.releaseSpare();
    }

    private List<Slab> take(long... lengths) {
        return pool.takeReplicas(lengths);
    }

    @Test
    void whatWasKeptServesAgain() {
        List<Slab> first = take(300, 100, 200);
        assertEquals(600, pool.freshReplicaBytes());
        assertEquals(0, pool.spareBytes());
        first.forEach(pool::keepSpare);
        assertEquals(600, pool.spareBytes());
        List<Slab> second = take(100, 200, 300);
        assertEquals(LongStream.of(100, 200, 300).boxed().toList(), second.stream().map(Slab::bytes).toList());
        assertEquals(600, pool.freshReplicaBytes());
        assertEquals(0, pool.spareBytes());
        second.forEach(Slab::close);
    }

    @Test
    void anEighthMayStayUnusedAndNoMore() {
        take(800).forEach(pool::keepSpare);
        assertEquals(800, take(700).stream().peek(pool::keepSpare).findFirst().orElseThrow().bytes());
        Slab fresh = take(699).getFirst();
        assertEquals(699, fresh.bytes());
        assertEquals(0, pool.spareBytes(), "what did not fit was freed before");
        fresh.close();
    }

    @Test
    void longerMemoryIsNotWastedOnWhatComesFirst() {
        take(96, 100).forEach(pool::keepSpare);
        List<Slab> taken = take(95, 100);
        assertEquals(196, pool.freshReplicaBytes());
        taken.forEach(Slab::close);
    }

    @Test
    void theLongestRunIsServedFirst() {
        take(100).forEach(pool::keepSpare);
        List<Slab> taken = take(95, 100);
        assertEquals(100 + 95, pool.freshReplicaBytes());
        taken.forEach(Slab::close);
    }

    @Test
    void whatFitsStaysWhenNothingHasToBeAllocated() {
        take(100, 200, 300).forEach(pool::keepSpare);
        Slab middle = take(200).getFirst();
        assertEquals(400, pool.spareBytes());
        middle.close();
    }

    @Test
    void nothingIsKeptWhenMemoryRunsOut() {
        Slab kept = take(100).getFirst();
        pool.keepSpare(kept);
        assertThrows(OutOfMemoryError.class, () -> take(100, Long.MAX_VALUE / 4));
        assertFalse(kept.memory().scope().isAlive());
        assertEquals(0, pool.spareBytes());
    }

    @Test
    void releasedMemoryIsFree() {
        Slab kept = take(100).getFirst();
        pool.keepSpare(kept);
        pool.releaseSpare();
        assertFalse(kept.memory().scope().isAlive());
        assertEquals(0, pool.spareBytes());
        Slab empty = take(0).getFirst();
        pool.keepSpare(empty);
        assertTrue(pool.spareBytes() == 0 && !empty.memory().scope().isAlive(), "nothing is not worth keeping");
    }

    @Test
    void memoryInUseWhenThePoolIsClosedIsFreedWhenItIsGivenBack() {
        Slab replica = take(100).getFirst();
        Slab scratch = pool.takeScratch();
        pool.close();
        assertTrue(replica.memory().scope().isAlive() && scratch.memory().scope().isAlive());
        pool.keepSpare(replica);
        pool.giveBackScratch(scratch);
        assertFalse(replica.memory().scope().isAlive());
        assertFalse(scratch.memory().scope().isAlive());
        assertEquals(0, pool.spareBytes() + pool.scratchBytes());
    }

    @Test
    void theCopyBufferServesTheNextSubmit() {
        Slab first = pool.takeBuffer(1 << 20);
        pool.giveBackBuffer(first);
        assertEquals(1 << 20, pool.scratchBytes());
        assertSame(first, pool.takeBuffer(1000));
        assertEquals(0, pool.scratchBytes());
        Slab second = pool.takeBuffer(1000);
        pool.giveBackBuffer(first);
        pool.giveBackBuffer(second);
        assertFalse(first.memory().scope().isAlive(), "one is kept");
        Slab longer = pool.takeBuffer(SegmentPool.SLAB_BYTES + 1);
        assertFalse(second.memory().scope().isAlive(), "too short");
        pool.giveBackBuffer(longer);
        pool.releaseSpare();
        assertFalse(longer.memory().scope().isAlive(), "spare");
        assertEquals(0, pool.scratchBytes());
    }

    @Test
    void aCopyBufferForALongBlockIsNotKept() {
        Slab buffer = pool.takeBuffer((32 << 20) + 1);
        pool.giveBackBuffer(buffer);
        assertFalse(buffer.memory().scope().isAlive());
        assertEquals(0, pool.scratchBytes());
    }

    @Test
    void aClosedPoolFreesWhatItKeeps() {
        Slab spare = take(100).getFirst();
        Slab scratch = pool.takeScratch();
        Slab buffer = pool.takeBuffer(100);
        pool.keepSpare(spare);
        pool.giveBackScratch(scratch);
        pool.giveBackBuffer(buffer);
        assertEquals(100, pool.spareBytes());
        assertEquals(SegmentPool.SLAB_BYTES + buffer.bytes(), pool.scratchBytes());
        pool.close();
        assertFalse(spare.memory().scope().isAlive());
        assertFalse(buffer.memory().scope().isAlive());
        assertFalse(scratch.memory().scope().isAlive());
        assertEquals(0, pool.spareBytes());
        assertEquals(0, pool.scratchBytes());
        Slab further = pool.takeScratch();
        assertTrue(further.memory().scope().isAlive());
        further.close();
    }

    @Test
    void memoryOfOneLengthServesAsOftenAsItWasKept() {
        List<Slab> first = take(100, 100, 100);
        first.forEach(pool::keepSpare);
        List<Slab> second = new ArrayList<>();
        for (int taken = 1; taken <= 3; taken++) {
            second.add(pool.takeReplica(100));
            assertEquals(300 - 100 * taken, pool.spareBytes());
        }
        assertEquals(300, pool.freshReplicaBytes());
        assertEquals(3, second.stream().map(slab -> slab.memory().address()).distinct().count());
        second.forEach(Slab::close);
    }

    @Test
    void spareMemoryStaysForLongerRunsWhereOneIsTakenAlone() {
        take(100).forEach(pool::keepSpare);
        Slab fresh = pool.takeReplica(50);
        assertEquals(50, fresh.bytes());
        assertEquals(150, pool.freshReplicaBytes());
        assertEquals(100, pool.spareBytes());
        fresh.close();
    }

    @Test
    void whatWasTakenForOthersIsFreedWhenMemoryRunsOut() {
        List<Slab> kept = take(100, 200, 300);
        kept.forEach(pool::keepSpare);
        assertThrows(OutOfMemoryError.class, () -> take(100, Long.MAX_VALUE / 4, 200));
        kept.forEach(slab -> assertFalse(slab.memory().scope().isAlive()));
    }

    @Test
    void sixteenSlabsOfScratchMemoryAreKept() {
        List<Slab> slabs = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            slabs.add(pool.takeScratch());
        }
        for (int i = 0; i < 17; i++) {
            pool.giveBackScratch(slabs.get(i));
            assertEquals(Math.min(16, i + 1) * SegmentPool.SLAB_BYTES, pool.scratchBytes());
            assertEquals(i < 16, slabs.get(i).memory().scope().isAlive());
        }
        Slab again = pool.takeScratch();
        assertEquals(15 * SegmentPool.SLAB_BYTES, pool.scratchBytes());
        again.close();
        pool.close();
    }

    @Test
    void copyBuffersAreOnHugePagesAndReplicasAreNot() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/sys/kernel/mm/transparent_hugepage")), "a kernel with huge pages");
        assumeTrue(MappedMemory.class.getModule().isNativeAccessEnabled(), "memory is mapped with native access only");
        try (Slab buffer = pool.takeBuffer(8 << 20); Slab replica = pool.takeReplica(8 << 20)) {
            assertTrue(usesHugePages(buffer.memory()));
            assertFalse(usesHugePages(replica.memory()));
        }
    }

    /** By the flags of the mapping that has the memory. */
    private static boolean usesHugePages(MemorySegment memory) throws IOException {
        boolean here = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            Matcher range = Pattern.compile("(\\p{XDigit}+)-(\\p{XDigit}+) .*").matcher(line);
            if (range.matches()) {
                here = Long.parseUnsignedLong(range.group(1), 16) <= memory.address()
                        && memory.address() < Long.parseUnsignedLong(range.group(2), 16);
            } else if (here && line.startsWith("VmFlags:")) {
                return line.contains(" hg");
            }
        }
        throw new AssertionError("no mapping has the memory");
    }
}

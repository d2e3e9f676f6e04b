package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Failures;

/** What replenishing takes of native memory, and that it gives it back. */
class ReplenishMemoryTest {
    private static final int BLOCKS = 64;
    private static final int BLOCK_BYTES = 128 << 10;
    private static final int REPLICATION = 3;
    private static final int REPETITIONS = 20;

    /** Of the replicas, one in four is made anew, since one in four PEs fails: the least that a leak would leave. */
    private static final long REPLENISHED_BYTES = (long) BLOCKS * BLOCK_BYTES * REPLICATION / 4;

    @Test
    void nativeMemoryReturnsToItsBaselineAfterClose() {
        for (int repetition = 0; repetition < REPETITIONS / 4; repetition++) {
            LimitedRun.values(4, ReplenishMemoryTest::failAndReplenish);
        }
        long baseline = anonymousBytes();
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            LimitedRun.values(4, ReplenishMemoryTest::failAndReplenish);
        }
        long growth = anonymousBytes() - baseline;
        // What the heap and the allocator do meanwhile is far less than half of a leak.
        assertTrue(growth < REPETITIONS * REPLENISHED_BYTES / 2, "the process has grown by " + growth + " bytes");
    }

    @Test
    void replenishingAgainAndAgainPilesNothingUp() {
        LimitedRun.values(2, world -> {
            try (ReStore store = store(world)) {
                long before = 0;
                for (int i = 0; i < 25_000; i++) {
                    assertEquals(0, store.replenish());
                    if (i == 5_000) {
                        before = usedBytes(world);
                    }
                }
                long growth = usedBytes(world) - before;
                assertTrue(growth < 20_000 * 100,
                        "from the 5,001st time to the 25,000th the heap and the native memory"
                                + " have grown by " + growth + " bytes");
            }
            return 0L;
        });
    }

    /**
     * Of all PEs, while none of them is in a call of its store; on PE 0, which alone collects garbage. The least of some
     * tries, since others in this JVM may just use memory.
     */
    private static long usedBytes(Communicator world) {
        world.barrier();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5 && world.rank() == 0; attempt++) {
            System.gc();
            least = Math.min(least, NativeMemory.openBytes()
                    + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        world.barrier();
        return least;
    }

    /** Returns the bytes that this PE received. */
    private static long failAndReplenish(Communicator world) {
        try (ReStore store = store(world)) {
            try (Communicator survivors = Failures.lose(world, 2)) {
                store.recover(survivors);
                long received = store.replenish();
                if (world.rank() == 0) {
                    assertTrue(received > 0, "the replicas were made anew");
                }
                return received;
            }
        }
    }

    private static ReStore store(Communicator world) {
        ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES)
                .replication(Math.min(REPLICATION, world.size())).build();
        long mine = world.rank() == 0 ? BLOCKS : 0;
        try (Arena arena = Arena.ofShared()) {
            store.submit(BlockRange.of(0, mine), arena.allocate(mine * BLOCK_BYTES + 1).asSlice(0, mine * BLOCK_BYTES));
        }
        return store;
    }

    /** Memory of this process that belongs to no file; no other process adds to it. */
    private static long anonymousBytes() {
        Path status = Path.of("/proc/self/status");
        assumeTrue(Files.isReadable(status), "only Linux tells the memory of a process there");
        try (Stream<String> lines = Files.lines(status)) {
            String kibibytes = lines.filter(line -> line.startsWith("RssAnon:")).findFirst().orElseThrow()
                    .replaceAll("\\D", "");
            return Long.parseLong(kibibytes) << 10;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

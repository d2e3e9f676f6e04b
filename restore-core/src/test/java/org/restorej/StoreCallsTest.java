package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster.PeProgram;

/** Calls of a store that begin before another one has ended are refused; that one ends as if nothing had been. */
class StoreCallsTest {
    private static final long BLOCKS = 60;
    private static final TestBlocks CONTENT = new TestBlocks(16, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    private static void run(PeProgram<Integer> program) {
        try (LocalCluster cluster = LocalCluster.builder(3).timeout(Duration.ofSeconds(30)).build()) {
            assertEquals(List.of(0, 1, 2), PeOutcome.values(cluster.run(program)));
        }
    }

    private static ReStore store(Communicator world) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(16).replication(2).build();
    }

    private static BlockRange own(Communicator world) {
        return BlockRange.of(world.rank() * BLOCKS / world.size(), BLOCKS / world.size());
    }

    private static String refusal(String operation, Executable call) {
        String message = String.valueOf(assertThrows(IllegalStateException.class, call, operation).getMessage());
        assertTrue(message.startsWith(operation + " by thread "), message);
        return message;
    }

    /** Tries everything that changes something or talks to others, and checks that the refusal says why. */
    private static void refusesEverything(ReStore store, Communicator world, String why) {
        Submission none = new Submission();
        PulledBlocks.Consumer nothing = (id, block) -> {};
        List<String> refusals = List.of(refusal("submit", () -> store.submit(none)),
                refusal("submitChanges", () -> store.submitChanges(none)),
                refusal("submitAsync", () -> store.submitAsync(none)), refusal("stage", () -> store.stage(none)),
                refusal("stageChanges", () -> store.stageChanges(none)),
                refusal("pull", () -> store.pull(EVERYTHING, MemorySegment.NULL)),
                refusal("pull", () -> store.pull(EVERYTHING, Arena.global())),
                refusal("pull", () -> store.pull(EVERYTHING, nothing)),
                refusal("recover", () -> store.recover(world)), refusal("replenish", store::replenish),
                refusal("scrub", store::scrub), refusal("releaseSpareMemory", store::releaseSpareMemory),
                refusal("close", store::close));
        refusals.forEach(message -> assertTrue(message.contains(why), message));
    }

    @Test
    void fromInsideAWriter() {
        AtomicInteger refused = new AtomicInteger();
        run(world -> {
            try (ReStore store = store(world)) {
                store.submit(own(world), (id, block) -> {
                    if (world.rank() == 1 && id == own(world).first()) {
                        refusesEverything(store, world, "that thread is inside submit");
                        refused.incrementAndGet();
                    }
                    CONTENT.write(id, block);
                });
                CONTENT.pullAndCheck(store, EVERYTHING);
                return world.rank();
            }
        });
        assertEquals(1, refused.get(), "writers that have tried");
    }

    @Test
    void fromInsideAWriterThatLetsTheRefusalThrough() {
        run(world -> {
            try (ReStore store = store(world)) {
                store.submit(own(world), CONTENT::write);
                InvalidSubmissionException invalid = assertThrows(InvalidSubmissionException.class,
                        () -> store.submit(own(world), (id, block) -> {
                            if (world.rank() == 1) {
                                store.replenish();
                            }
                        }));
                assertTrue(String.valueOf(invalid.getMessage()).contains("replenish by thread pe-1 is refused"),
                        invalid.getMessage());
                CONTENT.pullAndCheck(store, EVERYTHING);
                return world.rank();
            }
        });
    }

    @Test
    void fromInsideAConsumer() {
        AtomicInteger refused = new AtomicInteger();
        run(world -> {
            try (ReStore store = store(world)) {
                store.submit(own(world), CONTENT::write);
                store.pull(EVERYTHING, (id, block) -> {
                    CONTENT.check(id, block);
                    if (world.rank() == 2 && id == 7) {
                        refusesEverything(store, world, "that thread is inside pull");
                        refused.incrementAndGet();
                    }
                });
                return world.rank();
            }
        });
        assertEquals(1, refused.get(), "callbacks that have tried");
    }

    @Test
    void fromAnotherThread() {
        run(world -> {
            try (ReStore store = store(world)) {
                CountDownLatch inside = new CountDownLatch(1);
                CountDownLatch tried = new CountDownLatch(1);
                Thread other = Thread.ofPlatform().start(() -> {
                    awaitLatch(inside);
                    refusesEverything(store, world, "thread pe-" + world.rank() + " is inside submit");
                    tried.countDown();
                });
                store.submit(own(world), (id, block) -> {
                    inside.countDown();
                    awaitLatch(tried);
                    CONTENT.write(id, block);
                });
                other.join();
                CONTENT.pullAndCheck(store, EVERYTHING);
                return world.rank();
            }
        });
    }

    @Test
    void fromInsideAWriterInTheBackground() {
        run(world -> {
            try (ReStore store = store(world)) {
                PendingOperation<Long> pending = store
                        .submitAsync(new Submission().add(own(world), (BlockRange.Writer) (id, block) -> {
                            refusesEverything(store, world, "that thread is inside submitAsync");
                            CONTENT.write(id, block);
                        }));
                assertEquals(1, pending.await());
                CONTENT.pullAndCheck(store, EVERYTHING);
                return world.rank();
            }
        });
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}

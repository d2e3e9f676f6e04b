package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.crash.CrashScenario.CrashOperation;

/**
 * Kills every PE at every call of every operation, alone and, one time in a few, with a second death while the
 * survivors recover.
 *
 * <p>
 * A clean run at an interleaving counts the calls; then one run for each PE and call has it die there, before or after
 * the call has taken effect by turns. In a row of polls that found nothing only the first is a crash point: dying at the
 * second is the same run. {@code -Drestorej.crash.seed=N} chooses the interleavings, {@code
 * -Drestorej.crash.maxPes=N} leaves out those on more PEs.
 */
class EveryCrashPointTest {
    /** One crash in so many is run again with a second death: all of them would take the suite beyond five minutes. */
    private static final int SECOND_DEATHS = 4;

    private static final long SEED = Long.getLong("restorej.crash.seed", 1);

    private static final int MAX_PES = Integer.getInteger("restorej.crash.maxPes", Integer.MAX_VALUE);

    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhoeverDiesWhere() {
        return Stream.of(CrashOperation.values())
                .flatMap(operation -> IntStream
                        .rangeClosed(operation.needsADeath() ? 3 : 2, Math.min(MAX_PES, operation.maxPes())).boxed()
                        .map(pes -> DynamicTest.dynamicTest(operation + " on " + pes + " PEs",
                                () -> crashEverywhere(operation, pes))));
    }

    private static void crashEverywhere(CrashOperation operation, int pes) {
        long memoryBefore = nativeBytes();
        int threadsBefore = Thread.activeCount();
        AtomicInteger runs = new AtomicInteger();
        List<Runnable> crashes = new ArrayList<>();
        int before = operation.needsADeath() ? 1 : 0;
        for (int replication = 1; replication <= Math.min(4, pes); replication++) {
            long seed = SEED * 1000 + pes * 10L + replication;
            CrashRun clean = CrashRun.of(new CrashScenario(operation, pes, replication, before), seed);
            int level = replication;
            for (int victim = 0; victim < pes - before; victim++) {
                List<Long> points = clean.crashPointsInOperation(victim);
                assertTrue(!points.isEmpty(), "the operation communicates: " + clean);
                for (long point : points) {
                    int rank = victim;
                    Random random = new Random((seed * 31 + victim) * 1_000_003 + point);
                    crashes.add(() -> runs.addAndGet(crashAt(operation, pes, level, seed, rank, point, random)));
                }
            }
        }
        onAllCores(crashes);
        System.out.printf("%s on %d PEs: %d crashes, seed=%d%n", operation, pes, runs.get(), SEED);
        assertEquals(memoryBefore, nativeBytes(), "native memory left behind");
        assertEquals(threadsBefore, Thread.activeCount(), "threads left behind");
    }

    /** Runs one crash, and perhaps again with a second death; returns how many runs that were. */
    private static int crashAt(CrashOperation operation, int pes, int replication, long seed, int victim, long point,
            Random random) {
        int before = operation.needsADeath() ? 1 : 0;
        Fault first = random.nextBoolean() ? Fault.before(victim, point) : Fault.after(victim, point);
        CrashRun one = CrashRun.of(new CrashScenario(operation, pes, replication, before + 1), seed, first);
        if (pes - before <= 2 || random.nextInt(SECOND_DEATHS) != 0) {
            return 1;
        }
        dieTwice(operation, pes, replication, before, seed, first, one, random);
        return 2;
    }

    /** Of the PEs of a run only one at a time does something, so as many runs as cores go on at once. */
    private static void onAllCores(List<Runnable> runs) {
        Queue<Runnable> left = new ConcurrentLinkedQueue<>(runs);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (Runnable next = left.poll(); next != null && failures.isEmpty(); next = left.poll()) {
                    try {
                        next.run();
                    } catch (RuntimeException | Error failure) {
                        failures.add(failure);
                    }
                }
            }));
        }
        threads.forEach(EveryCrashPointTest::join);
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.peek().getMessage(), failures.peek());
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interruption) {
            throw new AssertionError("interrupted while crashes run", interruption);
        }
    }

    /** The second death is anywhere between the first one and the end of the recovery. */
    private static void dieTwice(CrashOperation operation, int pes, int replication, int before, long seed, Fault first,
            CrashRun one, Random random) {
        int victim = (first.originalRank() + 1 + random.nextInt(pes - before - 1)) % (pes - before);
        List<Long> points = one.crashPointsAfterTheFirstDeath(victim);
        Fault second = Fault.before(victim, points.get(random.nextInt(points.size())));
        CrashRun.of(new CrashScenario(operation, pes, replication, before + 2), seed, first, second);
    }

    private static long nativeBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).findFirst().orElseThrow().getMemoryUsed();
    }
}

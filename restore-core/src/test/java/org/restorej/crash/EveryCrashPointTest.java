package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.crash.CrashScenario.CrashOperation;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Kills every PE at every call of every operation, alone and with a second death while the survivors recover; here of
 * the operations that change a store.
 *
 * <p>
 * Every day's run does so on 2 and 3 PEs, where a mistake has been found (a server that died before it could say what
 * it had seen), and tries a few crashes on 8; a deep one leaves none out, and has a second death for each.
 *
 * <p>
 * A clean run at an interleaving counts the calls; then one run for each PE and call has it die there, before or after
 * the call has taken effect by turns. In a row of polls that found nothing only the first is a crash point: dying at
 * the second is the same run. {@link Seed} chooses the interleavings, and the crashes where not all are tried.
 */
class EveryCrashPointTest {
    private static final long SEED = Seed.of(EveryCrashPointTest.class);

    /** PEs are virtual threads, and two runs on one carrier only get into each other's way. */
    private static final int CARRIERS = Integer.getInteger("jdk.virtualThreadScheduler.parallelism",
            Runtime.getRuntime().availableProcessors());

    /**
     * What is tried of all crashes.
     *
     * @param points of so many crash points one
     * @param secondDeaths of so many crashes one is run again with a second death
     */
    private record Share(int points, int secondDeaths) {}

    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhoeverDiesWhere() {
        return crashes(operations(), List.of(2, 3), new Share(1, 4));
    }

    @TestFactory
    Stream<DynamicTest> survivorsOfManyPesAgreeWhereverOneOfThemDies() {
        return Stream.concat(
                crashes(operations().filter(operation -> !operation.isVariant() && !operation.needsADeath()),
                        List.of(8), new Share(32, 4)),
                // Of which there are fewer calls.
                crashes(operations().filter(operation -> !operation.isVariant() && operation.needsADeath()),
                        List.of(8), new Share(4, 4)));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhicheverTwoOfManyPesDieWhere() {
        return crashes(operations(), List.of(3, 4, 5, 8), new Share(1, 1));
    }

    private Stream<CrashOperation> operations() {
        return Stream.of(CrashOperation.values()).filter(operation -> operation.reads() == operationsRead());
    }

    private static Stream<DynamicTest> crashes(Stream<CrashOperation> operations, List<Integer> sizes, Share share) {
        return operations.flatMap(operation -> sizes.stream().filter(pes -> pes > 2 || !operation.needsADeath())
                .map(pes -> DynamicTest.dynamicTest(operation + " on " + pes + " PEs",
                        () -> crashEverywhere(operation, pes, share))));
    }

    /** Whether the operations of this class read; those of its superclass change something. Each class has a core. */
    boolean operationsRead() {
        return false;
    }

    private static void crashEverywhere(CrashOperation operation, int pes, Share share) {
        long memoryBefore = NativeMemory.openBytes();
        AtomicInteger runs = new AtomicInteger();
        List<Runnable> crashes = new ArrayList<>();
        int points = 0;
        int before = operation.needsADeath() ? 1 : 0;
        for (int replication = 1; replication <= Math.min(4, pes); replication++) {
            long seed = SEED * 1000 + pes * 10L + replication;
            CrashRun clean = CrashRun.of(new CrashScenario(operation, pes, replication, before), seed);
            int level = replication;
            for (int victim = 0; victim < pes - before; victim++) {
                List<Long> ofVictim = clean.crashPointsInOperation(victim);
                assertTrue(!ofVictim.isEmpty(), "the operation communicates: " + clean);
                for (long point : ofVictim) {
                    if (Math.floorMod(SEED + points++, share.points()) != 0) {
                        continue;
                    }
                    int rank = victim;
                    // Seeds that are close to each other give other numbers all the same.
                    RandomGenerator random = new SplittableRandom((seed * 31 + victim) * 1_000_003 + point);
                    crashes.add(() -> runs.addAndGet(
                            crashAt(operation, pes, level, seed, rank, point, random, share.secondDeaths())));
                }
            }
        }
        onAllCores(crashes);
        assertTrue(!crashes.isEmpty(), "somebody dies");
        System.out.printf("%s on %d PEs: %d of %d crash points, %d runs%n", operation, pes, crashes.size(), points,
                runs.get());
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    /** Runs one crash, and perhaps again with a second death; returns how many runs that were. */
    private static int crashAt(CrashOperation operation, int pes, int replication, long seed, int victim, long point,
            RandomGenerator random, int secondDeaths) {
        int before = operation.needsADeath() ? 1 : 0;
        Fault first = random.nextBoolean() ? Fault.before(victim, point) : Fault.after(victim, point);
        CrashRun one = CrashRun.of(new CrashScenario(operation, pes, replication, before + 1), seed, first);
        if (pes - before <= 2 || random.nextInt(secondDeaths) != 0) {
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
        for (int core = 0; core < CARRIERS; core++) {
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
            CrashRun one, RandomGenerator random) {
        int victim = (first.originalRank() + 1 + random.nextInt(pes - before - 1)) % (pes - before);
        List<Long> points = one.crashPointsAfterTheFirstDeath(victim);
        Fault second = Fault.before(victim, points.get(random.nextInt(points.size())));
        CrashRun.of(new CrashScenario(operation, pes, replication, before + 2), seed, first, second);
    }
}

package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
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
 * second is the same run. {@code -Drestorej.crash.seed=N} chooses the interleavings.
 */
class EveryCrashPointTest {
    /** One crash in so many is run again with a second death: all of them would take the suite beyond five minutes. */
    private static final int SECOND_DEATHS = 4;

    private static final long SEED = Long.getLong("restorej.crash.seed", 1);

    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhoeverDiesWhere() {
        return Stream.of(CrashOperation.values())
                .flatMap(operation -> IntStream
                        .rangeClosed(operation.needsADeath() ? 3 : 2, operation.maxPes()).boxed()
                        .map(pes -> DynamicTest.dynamicTest(operation + " on " + pes + " PEs",
                                () -> crashEverywhere(operation, pes))));
    }

    private static void crashEverywhere(CrashOperation operation, int pes) {
        long memoryBefore = nativeBytes();
        int threadsBefore = Thread.activeCount();
        int runs = 0;
        int before = operation.needsADeath() ? 1 : 0;
        for (int replication = 1; replication <= Math.min(4, pes); replication++) {
            long seed = SEED * 1000 + pes * 10L + replication;
            CrashRun clean = CrashRun.of(new CrashScenario(operation, pes, replication, before), seed);
            Random random = new Random(seed);
            for (int victim = 0; victim < pes - before; victim++) {
                List<Long> points = clean.crashPointsInOperation(victim);
                assertTrue(!points.isEmpty(), "the operation communicates: " + clean);
                for (long point : points) {
                    Fault first = random.nextBoolean() ? Fault.before(victim, point) : Fault.after(victim, point);
                    CrashRun one = CrashRun.of(new CrashScenario(operation, pes, replication, before + 1), seed, first);
                    runs++;
                    if (pes - before > 2 && random.nextInt(SECOND_DEATHS) == 0) {
                        dieTwice(operation, pes, replication, before, seed, first, one, random);
                        runs++;
                    }
                }
            }
        }
        System.out.printf("%s on %d PEs: %d crashes, seed=%d%n", operation, pes, runs, SEED);
        assertEquals(memoryBefore, nativeBytes(), "native memory left behind");
        assertEquals(threadsBefore, Thread.activeCount(), "threads left behind");
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

package org.restorej.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.crash.CrashScenario.CrashOperation;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Kills every PE at every call of every operation, alone and with a second failure while the survivors recover. A class of
 * tests for each kind of operation, so that they can run beside each other.
 *
 * <p>
 * Every day's run does so on 2 PEs, tries every second crash on 3, where a mistake has been found (a server that failed
 * before it could say what it had seen), fewer of variants, and a few on 8; a deep one leaves none out on up to 5 PEs,
 * tries every third on 8, and has a second failure for each.
 *
 * <p>
 * {@link Seed} chooses the interleavings, and the crashes where not all are tried.
 */
abstract class EveryCrashPoint {
    private static final long SEED = Seed.of(EveryCrashPoint.class);

    /** PEs are virtual threads, and two runs on one carrier only get into each other's way. */
    private static final int CARRIERS = Integer.getInteger("jdk.virtualThreadScheduler.parallelism",
            Runtime.getRuntime().availableProcessors());

    /**
     * What is tried of all crashes.
     *
     * @param points of so many crash points one
     * @param secondFailures of so many crashes one is run again with a second failure
     * @param codes of how many codes at most
     */
    private record Share(int points, int secondFailures, int codes) {}

    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhoeverFailsWhere() {
        return Stream.of(crashes(operations(), List.of(2), new Share(1, 4, 1)),
                crashes(operations().filter(operation -> !operation.isVariant()), List.of(3), new Share(2, 4, 1)),
                crashes(operations().filter(CrashOperation::isVariant), List.of(3), new Share(6, 4, 1)))
                .flatMap(crashes -> crashes);
    }

    @TestFactory
    Stream<DynamicTest> survivorsOfManyPesAgreeWhereverOneOfThemFails() {
        return Stream.concat(
                crashes(operations().filter(operation -> !operation.isVariant() && !operation.needsAFailure()),
                        List.of(8), new Share(32, 4, 0)),
                // Of which there are fewer calls.
                crashes(operations().filter(operation -> !operation.isVariant() && operation.needsAFailure()),
                        List.of(8), new Share(4, 4, 0)));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsAgreeWhicheverTwoOfManyPesDieWhere() {
        return Stream.concat(crashes(operations(), List.of(3, 4, 5), new Share(1, 1, 3)),
                // Another third each time: on 8 PEs there are more crashes than on the others together.
                crashes(operations(), List.of(8), new Share(3, 1, 3)));
    }

    private Stream<CrashOperation> operations() {
        return Stream.of(CrashOperation.values()).filter(this::covers);
    }

    private static Stream<DynamicTest> crashes(Stream<CrashOperation> operations, List<Integer> sizes, Share share) {
        return operations.flatMap(operation -> sizes.stream().filter(pes -> pes > 2 || !operation.needsAFailure())
                .map(pes -> DynamicTest.dynamicTest(operation + " on " + pes + " PEs",
                        () -> crashEverywhere(operation, pes, share))));
    }

    /** Whether the class tests the operation. */
    abstract boolean covers(CrashOperation operation);

    /**
     * How blocks are kept.
     *
     * @param parts replicas, or parts of coded blocks
     * @param parityParts 0 where they are not coded
     */
    private record Kept(int parts, int parityParts) {}

    private static List<Kept> kept(CrashOperation operation, int pes, Share share) {
        List<Kept> kept = new ArrayList<>();
        for (int replication = 1; replication <= Math.min(4, pes); replication++) {
            kept.add(new Kept(replication, 0));
        }
        // A code of two parts is two replicas; coded blocks have one size and are changed all together.
        for (int parityParts = 1; pes > 2 && !operation.changesBlocks() && !operation.isSized()
                && parityParts <= Math.min(share.codes(), pes - 2); parityParts++) {
            kept.add(new Kept(Math.min(6, pes), parityParts));
        }
        return kept;
    }

    private static void crashEverywhere(CrashOperation operation, int pes, Share share) {
        long memoryBefore = NativeMemory.openBytes();
        int before = operation.needsAFailure() ? 1 : 0;
        int calls = 0;
        int runs = 0;
        for (Kept kept : kept(operation, pes, share)) {
            int points = share.points();
            Set<Integer> victims = ConcurrentHashMap.newKeySet();
            FailureAtEveryCall<CrashScenario.End> crashes = FailureAtEveryCall
                    .ofPart(pes,
                            (world, part) -> new CrashScenario(operation, pes, kept.parts(), kept.parityParts(),
                                    before + part.failures()).run(world, part))
                    .seed(SEED * 1000 + pes * 10L + kept.parts() + 5L * kept.parityParts()).everyNth(points)
                    .parallel(CARRIERS)
                    .checking(run -> {
                        assertEquals(pes - before - run.failures().size(), run.survivors().size(), "survivors");
                        assertEquals(1, run.survivors().stream().distinct().count(),
                                () -> operation + ", " + kept + ": all survivors end alike: " + run.survivors());
                        run.failures().forEach(failure -> victims.add(failure.pe()));
                    });
            if (pes - before > 2) {
                crashes.secondFailures(share.secondFailures());
            }
            FailureAtEveryCall.Summary summary = crashes.run();
            // Of an operation of few calls a third may leave a PE out.
            boolean everybody = points < 3 || (points == 3 && summary.runs() >= 10 * (pes - before));
            assertTrue(everybody ? IntStream.range(0, pes - before).allMatch(victims::contains) : !victims.isEmpty(),
                    () -> "who fails: " + victims);
            calls += summary.calls();
            runs += summary.runs() + summary.runsWithSecondFailure();
        }
        System.out.printf("%s on %d PEs: %d crash points, %d runs%n", operation, pes, calls, runs);
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }
}

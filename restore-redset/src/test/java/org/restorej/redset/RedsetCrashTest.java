package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.faults.FailureAtEveryCall;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Processes that die at any communication call, and disks that fail at any change, while files are protected or
 * recovered: everybody ends the same way, and either the old or the new is whole.
 */
class RedsetCrashTest {
    private static final long SEED = Seed.of(RedsetCrashTest.class);

    /** Survivors shrink and begin again after a failure at one of so many calls. */
    private static final int SHRINKING = 20;

    /** A job at whose every call somebody fails. */
    private record Failure(RedsetJob.Attempt attempt, Scheme scheme, int ranks) {}

    @TestFactory
    Stream<DynamicTest> survivorsEndAlikeWhoeverFailsWhere() {
        return failures(new Failure(RedsetJob.Attempt.APPLY, Scheme.xor(), 3),
                new Failure(RedsetJob.Attempt.APPLY, Scheme.partner(2), 3),
                new Failure(RedsetJob.Attempt.RECOVER, Scheme.rs(2), 4));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsEndAlikeWithEachScheme() {
        return failures(new Failure(RedsetJob.Attempt.APPLY, Scheme.rs(2), 4),
                new Failure(RedsetJob.Attempt.RECOVER, Scheme.xor(), 3),
                new Failure(RedsetJob.Attempt.RECOVER, Scheme.partner(2), 3));
    }

    private static Stream<DynamicTest> failures(Failure... all) {
        return Stream.of(all).map(failure -> DynamicTest.dynamicTest(
                failure.toString(), () -> dieEverywhere(failure.attempt(), failure.scheme(), failure.ranks())));
    }

    private static void dieEverywhere(RedsetJob.Attempt attempt, Scheme scheme, int ranks) {
        long memoryBefore = NativeMemory.openBytes();
        try (RedsetJob job = new RedsetJob(attempt, scheme, ranks)) {
            FailureAtEveryCall.Summary summary = failures(job).checking(run -> {
                assertEquals(1, run.survivors().stream().distinct().count(),
                        "all survivors end alike: " + run.survivors());
                boolean done = run.survivors().getFirst();
                if (run.failures().isEmpty()) {
                    assertTrue(done, "nobody fails");
                } else {
                    // RS and PARTNER bear the loss that a recovery was to repair and one more.
                    job.recoverAll(job.bearableLoss(run.failures().getFirst().pe()), done,
                            scheme + ", " + Seed.option() + ", " + run.failures());
                }
            }).run();
            assertTrue(summary.runs() > 30, "failures " + summary);
        }
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    /** Failures in an attempt; what a PE returns says whether it was done. */
    private static FailureAtEveryCall<Boolean> failures(RedsetJob job) {
        return FailureAtEveryCall.<Boolean>ofPart(job.ranks(), (world, part) -> {
            try (Redset redset = job.redset(world, FileOperations.system())) {
                // Nobody is building any more when somebody fails.
                world.agree(1);
                part.begin();
                try {
                    job.attempt(redset, world.rank());
                    return true;
                } catch (CommunicationFailedException failure) {
                    return false;
                } finally {
                    part.end();
                }
            }
        }).seed(SEED).before(job::reset);
    }

    /** A job in which a disk fails at each change, alone or with all that comes after it. */
    private record DiskFailure(RedsetJob.Attempt attempt, boolean crash, Scheme scheme) {}

    @TestFactory
    Stream<DynamicTest> everybodyEndsAlikeWhereverADiskFails() {
        return Stream.concat(failures(Scheme.rs(2), true),
                Stream.of(test(new DiskFailure(RedsetJob.Attempt.APPLY, false, Scheme.rs(2)))));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> recoveringEndsAlikeWhereverADiskFailsOnce() {
        return Stream.of(test(new DiskFailure(RedsetJob.Attempt.RECOVER, false, Scheme.rs(2))));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> everybodyEndsAlikeWhereverADiskOfAPartnerFails() {
        return failures(Scheme.partner(2), true, false);
    }

    private static Stream<DynamicTest> failures(Scheme scheme, Boolean... crashes) {
        return Stream.of(RedsetJob.Attempt.APPLY, RedsetJob.Attempt.RECOVER)
                .flatMap(attempt -> Stream.of(crashes).map(crash -> new DiskFailure(attempt, crash, scheme)))
                .map(RedsetCrashTest::test);
    }

    private static DynamicTest test(DiskFailure failure) {
        return DynamicTest.dynamicTest(failure.toString(),
                () -> failEverywhere(failure.attempt(), failure.scheme(), failure.crash()));
    }

    private static void failEverywhere(RedsetJob.Attempt attempt, Scheme scheme, boolean crash) {
        int ranks = 4;
        int victim = ranks - 1;
        try (RedsetJob job = new RedsetJob(attempt, scheme, ranks)) {
            boolean failed = true;
            int failures = 0;
            for (int failAt = 0; failed; failAt++) {
                job.reset();
                FailingFileOperations failing = new FailingFileOperations(failAt, crash);
                List<Boolean> done = RedsetJob.run(LocalCluster.builder(ranks),
                        world -> isDone(job, world, world.rank() == victim ? failing : FileOperations.system()));
                String when = scheme + ", failure at change " + failAt;
                assertEquals(1, done.stream().distinct().count(), when + ": all end alike: " + done);
                failed = failing.hasFailed();
                failures += failed ? 1 : 0;
                boolean attemptWasDone = done.get(0);
                assertTrue(attemptWasDone || failed, when);
                if (!attemptWasDone && attempt == RedsetJob.Attempt.APPLY) {
                    for (int rank = 0; rank < ranks - (crash ? 1 : 0); rank++) {
                        job.directories().get(rank).delete("new");
                        job.directories().get(rank).require(job.before().get(rank), when);
                    }
                }
                job.recoverAll(job.bearableLoss(new Random(failAt).nextInt(ranks)), attemptWasDone, when);
            }
            assertTrue(failures > 12, "failures " + failures);
        }
    }

    private static boolean isDone(RedsetJob job, Communicator world, FileOperations operations) {
        try (Redset redset = job.redset(world, operations)) {
            job.attempt(redset, world.rank());
            return true;
        } catch (RedsetException failure) {
            assertEquals(Set.of(job.ranks() - 1), failure.failures().keySet());
            assertSays(failure, "No space left", "rank " + (job.ranks() - 1));
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> survivorsProtectTheirFilesAmongThemselves() {
        return IntStream.of(3, 5).mapToObj(ranks -> DynamicTest.dynamicTest(ranks + " ranks", () -> {
            AtomicInteger repeated = new AtomicInteger();
            try (RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, Scheme.xor(), ranks)) {
                FailureAtEveryCall.<Integer>ofPart(ranks, (world, part) -> shrinkAndRepeat(job, world, part, repeated))
                        .seed(SEED).before(job::reset).at(call -> call.pe() == 1).everyNth(SHRINKING).expecting(1)
                        .run();
            }
            assertTrue(repeated.get() > 0, "somebody has failed before all were done");
        }));
    }

    /** Returns how many ranks a recovery rebuilds after one survivor has lost its disk; 1 where nothing is repeated. */
    private static int shrinkAndRepeat(RedsetJob job, Communicator world, FailureAtEveryCall.Part part,
            AtomicInteger repeated) {
        int original = world.rank();
        try (Redset redset = job.redset(world, FileOperations.system())) {
            world.agree(1);
            part.begin();
            try {
                job.attempt(redset, original);
                return 1;
            } catch (CommunicationFailedException failure) {
                world.revoke();
                Communicator survivors = world.shrink();
                try (Redset again = redset.on(survivors)) {
                    job.attempt(again, original);
                    byte[] content = job.directories().get(original).snapshot().get("new");
                    if (survivors.rank() == 0) {
                        job.directories().get(original).lose();
                    }
                    int rebuilt = again.recover().rebuiltRanks().size();
                    assertArrayEquals(content, job.directories().get(original).snapshot().get("new"));
                    repeated.incrementAndGet();
                    return rebuilt;
                }
            } finally {
                part.end();
            }
        }
    }
}

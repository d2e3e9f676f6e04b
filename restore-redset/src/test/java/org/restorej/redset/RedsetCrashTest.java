package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.FaultInjector;
import org.restorej.comm.local.FaultInjector.Operation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
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
    private static final Set<Operation> POLLS = EnumSet.of(Operation.PROBE, Operation.TEST);
    private static final long SEED = Seed.of(RedsetCrashTest.class);

    /** A job at whose every call somebody dies. */
    private record Death(RedsetJob.Attempt attempt, Scheme scheme, int ranks) {}

    @TestFactory
    Stream<DynamicTest> survivorsEndAlikeWhoeverDiesWhere() {
        return deaths(new Death(RedsetJob.Attempt.APPLY, Scheme.xor(), 3),
                new Death(RedsetJob.Attempt.APPLY, Scheme.partner(2), 3),
                new Death(RedsetJob.Attempt.RECOVER, Scheme.rs(2), 4));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsEndAlikeWithEachScheme() {
        return deaths(new Death(RedsetJob.Attempt.APPLY, Scheme.rs(2), 4),
                new Death(RedsetJob.Attempt.RECOVER, Scheme.xor(), 3),
                new Death(RedsetJob.Attempt.RECOVER, Scheme.partner(2), 3));
    }

    private static Stream<DynamicTest> deaths(Death... all) {
        return Stream.of(all).map(death -> DynamicTest.dynamicTest(
                death.toString(), () -> dieEverywhere(death.attempt(), death.scheme(), death.ranks())));
    }

    private static void dieEverywhere(RedsetJob.Attempt attempt, Scheme scheme, int ranks) {
        long memoryBefore = NativeMemory.openBytes();
        try (RedsetJob job = new RedsetJob(attempt, scheme, ranks)) {
            DeathRun clean = new DeathRun(job, SEED);
            assertEquals(true, clean.run(null));
            int deaths = 0;
            for (int victim = 0; victim < ranks; victim++) {
                for (long call : clean.crashPoints(victim)) {
                    boolean before = (call + victim) % 2 == 0;
                    Fault fault = before ? Fault.before(victim, call) : Fault.after(victim, call);
                    String when = scheme + ", " + Seed.option() + ", " + fault;
                    boolean done;
                    try {
                        done = new DeathRun(job, SEED).run(fault);
                    } catch (RuntimeException | AssertionError failure) {
                        throw new AssertionError(when + ": " + failure.getMessage(), failure);
                    }
                    // RS and PARTNER bear the loss that a recovery was to repair and one more.
                    job.recoverAll(job.bearableLoss(victim), done, when);
                    deaths++;
                }
            }
            assertTrue(deaths > 30, "deaths " + deaths);
        }
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    /** One run of a job step by step, in which a process may die. */
    private static final class DeathRun {
        private final RedsetJob job;
        private final long seed;
        private final AtomicLongArray begins;
        private final AtomicLongArray ends;
        private final AtomicLongArray calls;
        private final List<List<Long>> points = new ArrayList<>();
        private final Operation[] last;

        DeathRun(RedsetJob job, long seed) {
            this.job = job;
            this.seed = seed;
            begins = new AtomicLongArray(job.ranks());
            ends = new AtomicLongArray(job.ranks());
            calls = new AtomicLongArray(job.ranks());
            last = new Operation[job.ranks()];
            IntStream.range(0, job.ranks()).forEach(rank -> points.add(new ArrayList<>()));
        }

        /** Runs, and says whether the attempt was done on the survivors. */
        boolean run(@Nullable Fault fault) {
            job.reset();
            FaultPlan plan = fault == null ? FaultPlan.of() : FaultPlan.of(fault);
            FaultInjector injector = (rank, index, operation) -> {
                note(rank.value(), index, operation);
                return plan.fateOf(rank, index, operation);
            };
            List<Boolean> done = RedsetJob.run(LocalCluster.builder(job.ranks()).faults(injector).singleStepping(seed),
                    this::program);
            plan.verifyAllHappened();
            assertEquals(job.ranks() - (fault == null ? 0 : 1), done.size(), "survivors");
            assertEquals(1, done.stream().distinct().count(), "all survivors end alike: " + done);
            return done.get(0);
        }

        private void note(int rank, long index, Operation operation) {
            calls.set(rank, index + 1);
            if (operation != last[rank] || !POLLS.contains(operation)) {
                points.get(rank).add(index);
            }
            last[rank] = operation;
        }

        private boolean program(Communicator world) {
            int rank = world.rank();
            try (Redset redset = job.redset(world, FileOperations.system())) {
                // Nobody is building any more when somebody dies.
                world.agree(1);
                begins.set(rank, calls.get(rank));
                try {
                    job.attempt(redset, rank);
                    return true;
                } catch (CommunicationFailedException failure) {
                    return false;
                } finally {
                    ends.set(rank, calls.get(rank));
                }
            }
        }

        List<Long> crashPoints(int rank) {
            return points.get(rank).stream().filter(call -> call >= begins.get(rank) && call < ends.get(rank)).toList();
        }
    }

    /** A job in which a disk fails at each change, alone or with all that comes after it. */
    private record DiskFailure(RedsetJob.Attempt attempt, boolean crash, Scheme scheme) {}

    @TestFactory
    Stream<DynamicTest> everybodyEndsAlikeWhereverADiskFails() {
        return failures(Scheme.rs(2));
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> everybodyEndsAlikeWhereverADiskOfAPartnerFails() {
        return failures(Scheme.partner(2));
    }

    private static Stream<DynamicTest> failures(Scheme scheme) {
        return Stream.of(RedsetJob.Attempt.APPLY, RedsetJob.Attempt.RECOVER)
                .flatMap(attempt -> Stream.of(true, false).map(crash -> new DiskFailure(attempt, crash, scheme)))
                .map(failure -> DynamicTest.dynamicTest(failure.toString(),
                        () -> failEverywhere(failure.attempt(), failure.scheme(), failure.crash())));
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

    @Test
    void survivorsOfARecoveryOfScrEndAlikeWhoeverDiesWhere() {
        dieEverywhere(RedsetJob.Attempt.RECOVER_SCR, Scheme.xor(), 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everybodyEndsARecoveryOfScrAlikeWhereverADiskFails(boolean crash) {
        failEverywhere(RedsetJob.Attempt.RECOVER_SCR, Scheme.xor(), crash);
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
            try (RedsetJob job = new RedsetJob(RedsetJob.Attempt.APPLY, Scheme.xor(), ranks)) {
                DeathRun clean = new DeathRun(job, SEED);
                assertTrue(clean.run(null));
                List<Long> points = clean.crashPoints(1);
                job.reset();
                Fault fault = Fault.before(1, points.get(points.size() / 2));
                FaultPlan plan = FaultPlan.of(fault);
                List<Integer> rebuilt = RedsetJob.run(LocalCluster.builder(ranks).faults(plan).singleStepping(SEED),
                        world -> shrinkAndRepeat(job, world));
                plan.verifyAllHappened();
                assertEquals(IntStream.range(1, ranks).mapToObj(survivor -> 1).toList(), rebuilt);
            }
        }));
    }

    /** Returns how many ranks a recovery rebuilds after one survivor has lost its disk. */
    private static int shrinkAndRepeat(RedsetJob job, Communicator world) {
        int original = world.rank();
        try (Redset redset = job.redset(world, FileOperations.system())) {
            // As in the run that the call was chosen from.
            world.agree(1);
            try {
                job.attempt(redset, original);
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
                    return rebuilt;
                }
            }
        }
        throw new AssertionError("nobody died");
    }
}

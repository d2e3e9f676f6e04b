package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ErrorMessages.assertSays;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FaultInjector;
import org.restorej.comm.LocalCluster;
import org.restorej.comm.Operation;
import org.restorej.comm.PeOutcome;
import org.restorej.comm.PeProgram;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.redset.files.FailingFileOperations;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.protocol.RedsetException;
import org.restorej.redset.scheme.Scheme;

/**
 * Processes that die at any communication call, and disks that fail at any change, while files are protected or
 * recovered: everybody ends the same way, and either the old or the new is whole.
 */
class RedsetCrashTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Set<Operation> POLLS = EnumSet.of(Operation.PROBE, Operation.TEST);
    private static final long SEED = Long.getLong("restore.test.seed", 1);

    /** The operation in which things go wrong. */
    enum Attempt {
        APPLY, RECOVER
    }

    /** A small job: all its ranks, and the files that they had protected before. */
    private static final class Job implements AutoCloseable {
        private final Attempt attempt;
        private final Scheme scheme;
        private final int ranks;
        private final List<RankDirectory> directories;
        /** Files of every rank before the attempt, and, for a recovery, before the loss. */
        private final List<Map<String, byte[]>> before = new ArrayList<>();

        Job(Attempt attempt, Scheme scheme, int ranks) {
            this.attempt = attempt;
            this.scheme = scheme;
            this.ranks = ranks;
            directories = IntStream.range(0, ranks).mapToObj(rank -> new RankDirectory()).toList();
            run(LocalCluster.builder(ranks), world -> {
                try (Redset redset = redset(world, FileOperations.system())) {
                    redset.apply(write(world.rank(), "old", 300));
                }
                return true;
            });
            directories.forEach(directory -> before.add(directory.snapshot()));
        }

        private List<Path> write(int rank, String name, int bytes) {
            byte[] content = new byte[bytes + 10 * rank];
            Arrays.fill(content, (byte) (bytes + rank));
            return List.of(directories.get(rank).write(name, content));
        }

        private Redset redset(Communicator communicator, FileOperations operations) {
            int rank = communicator.originalRank().value();
            return Redset.builder(communicator).scheme(scheme).failureGroup("host" + rank)
                    .directory(directories.get(rank).path()).pieceBytes(100).operations(operations).build();
        }

        /** As before the attempt; for a recovery the last rank has lost everything. */
        void reset() {
            for (int rank = 0; rank < ranks; rank++) {
                directories.get(rank).restore(before.get(rank));
            }
            if (attempt == Attempt.RECOVER) {
                directories.get(ranks - 1).lose();
            }
        }

        void attempt(Redset redset, int rank) {
            switch (attempt) {
                case APPLY -> redset.apply(write(rank, "new", 500));
                case RECOVER -> redset.recover();
            }
        }

        /** A later run on as many ranks, one of which has lost its disk: everybody has again what was protected last. */
        void recoverAll(int lost, boolean attemptWasDone, String when) {
            directories.get(lost).lose();
            run(LocalCluster.builder(ranks), world -> {
                try (Redset redset = redset(world, FileOperations.system())) {
                    redset.recover();
                    String expected = attemptWasDone && attempt == Attempt.APPLY ? "new" : "old";
                    assertEquals(List.of(directories.get(world.rank()).path().resolve(expected)),
                            redset.originalFiles(), when);
                    if (expected.equals("old")) {
                        Map<String, byte[]> old = before.get(world.rank());
                        directories.get(world.rank()).delete("new");
                        directories.get(world.rank()).require(old, when);
                    }
                }
                return true;
            });
        }

        static <T> List<T> run(LocalCluster.Builder builder, PeProgram<T> program) {
            try (LocalCluster cluster = builder.timeout(TIMEOUT).build()) {
                return PeOutcome.values(cluster.run(program));
            }
        }

        @Override
        public void close() {
            directories.forEach(RankDirectory::close);
        }
    }

    @TestFactory
    Stream<DynamicTest> survivorsEndAlikeWhoeverDiesWhere() {
        return Stream.of(Attempt.values()).flatMap(attempt -> Stream.of(
                DynamicTest.dynamicTest(attempt + " XOR", () -> dieEverywhere(attempt, Scheme.xor(), 3)),
                DynamicTest.dynamicTest(attempt + " RS", () -> dieEverywhere(attempt, Scheme.rs(2), 4)),
                DynamicTest.dynamicTest(attempt + " PARTNER", () -> dieEverywhere(attempt, Scheme.partner(2), 3))));
    }

    private static void dieEverywhere(Attempt attempt, Scheme scheme, int ranks) {
        System.out.println("seed of dieEverywhere: -Drestore.test.seed=" + SEED);
        try (Job job = new Job(attempt, scheme, ranks)) {
            DeathRun clean = new DeathRun(job, SEED);
            assertEquals(true, clean.run(null));
            int deaths = 0;
            for (int victim = 0; victim < ranks; victim++) {
                for (long call : clean.crashPoints(victim)) {
                    // All ranks do the same: at each call one in three dies, before or after it.
                    if ((call + victim) % 3 != 0) {
                        continue;
                    }
                    boolean before = (call + victim) % 6 == 0;
                    Fault fault = before ? Fault.before(victim, call) : Fault.after(victim, call);
                    String when = scheme + ", seed=" + SEED + ", " + fault;
                    boolean done;
                    try {
                        done = new DeathRun(job, SEED).run(fault);
                    } catch (RuntimeException | AssertionError failure) {
                        throw new AssertionError(when + ": " + failure.getMessage(), failure);
                    }
                    // RS and PARTNER bear the loss that a recovery was to repair and one more.
                    int lost = attempt == Attempt.RECOVER && scheme.equals(Scheme.xor()) ? ranks - 1 : victim;
                    job.recoverAll(lost, done, when);
                    deaths++;
                }
            }
            assertTrue(deaths > 30, "deaths " + deaths);
        }
    }

    /** One run of a job step by step, in which a process may die. */
    private static final class DeathRun {
        private final Job job;
        private final long seed;
        private final AtomicLongArray begins;
        private final AtomicLongArray ends;
        private final AtomicLongArray calls;
        private final List<List<Long>> points = new ArrayList<>();
        private final Operation[] last;

        DeathRun(Job job, long seed) {
            this.job = job;
            this.seed = seed;
            begins = new AtomicLongArray(job.ranks);
            ends = new AtomicLongArray(job.ranks);
            calls = new AtomicLongArray(job.ranks);
            last = new Operation[job.ranks];
            IntStream.range(0, job.ranks).forEach(rank -> points.add(new ArrayList<>()));
        }

        /** Runs, and says whether the attempt was done on the survivors. */
        boolean run(@Nullable Fault fault) {
            job.reset();
            FaultPlan plan = fault == null ? FaultPlan.of() : FaultPlan.of(fault);
            FaultInjector injector = (rank, index, operation) -> {
                note(rank.value(), index, operation);
                return plan.fateOf(rank, index, operation);
            };
            List<Boolean> done = Job.run(LocalCluster.builder(job.ranks).faults(injector).singleStepping(seed),
                    this::program);
            plan.verifyAllHappened();
            assertEquals(job.ranks - (fault == null ? 0 : 1), done.size(), "survivors");
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
                } catch (ProcessFailedException | CommunicatorRevokedException failure) {
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

    @TestFactory
    Stream<DynamicTest> everybodyEndsAlikeWhereverADiskFails() {
        return Stream.of(Attempt.values()).flatMap(attempt -> Stream.of(true, false).flatMap(crash -> Stream.of(
                DynamicTest.dynamicTest(attempt + " RS, crash " + crash,
                        () -> failEverywhere(attempt, Scheme.rs(2), crash)),
                DynamicTest.dynamicTest(attempt + " PARTNER, crash " + crash,
                        () -> failEverywhere(attempt, Scheme.partner(2), crash)))));
    }

    private static void failEverywhere(Attempt attempt, Scheme scheme, boolean crash) {
        int ranks = 4;
        int victim = ranks - 1;
        try (Job job = new Job(attempt, scheme, ranks)) {
            boolean failed = true;
            int failures = 0;
            for (int failAt = 0; failed; failAt++) {
                job.reset();
                FailingFileOperations failing = new FailingFileOperations(failAt, crash);
                List<Boolean> done = Job.run(LocalCluster.builder(ranks),
                        world -> isDone(job, world, world.rank() == victim ? failing : FileOperations.system()));
                String when = scheme + ", failure at change " + failAt;
                assertEquals(1, done.stream().distinct().count(), when + ": all end alike: " + done);
                failed = failing.hasFailed();
                failures += failed ? 1 : 0;
                boolean attemptWasDone = done.get(0);
                assertTrue(attemptWasDone || failed, when);
                if (!attemptWasDone && attempt == Attempt.APPLY) {
                    for (int rank = 0; rank < ranks - (crash ? 1 : 0); rank++) {
                        job.directories.get(rank).delete("new");
                        job.directories.get(rank).require(job.before.get(rank), when);
                    }
                }
                job.recoverAll(new Random(failAt).nextInt(ranks), attemptWasDone, when);
            }
            assertTrue(failures > 20, "failures " + failures);
        }
    }

    private static boolean isDone(Job job, Communicator world, FileOperations operations) {
        try (Redset redset = job.redset(world, operations)) {
            job.attempt(redset, world.rank());
            return true;
        } catch (RedsetException failure) {
            assertEquals(Set.of(job.ranks - 1), failure.complaints().keySet());
            assertSays(failure, "No space left", "rank " + (job.ranks - 1));
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> survivorsProtectTheirFilesAmongThemselves() {
        return IntStream.of(3, 5).mapToObj(ranks -> DynamicTest.dynamicTest(ranks + " ranks", () -> {
            try (Job job = new Job(Attempt.APPLY, Scheme.xor(), ranks)) {
                job.reset();
                Fault fault = Fault.before(1, 60);
                FaultPlan plan = FaultPlan.of(fault);
                List<Integer> rebuilt = Job.run(LocalCluster.builder(ranks).faults(plan).singleStepping(SEED),
                        world -> shrinkAndRepeat(job, world));
                plan.verifyAllHappened();
                assertEquals(IntStream.range(1, ranks).mapToObj(survivor -> 1).toList(), rebuilt);
            }
        }));
    }

    /** Returns how many ranks a recovery rebuilds after one survivor has lost its disk. */
    private static int shrinkAndRepeat(Job job, Communicator world) {
        int original = world.rank();
        try (Redset redset = job.redset(world, FileOperations.system())) {
            try {
                job.attempt(redset, original);
            } catch (ProcessFailedException | CommunicatorRevokedException failure) {
                world.revoke();
                Communicator survivors = world.shrink();
                try (Redset again = redset.on(survivors)) {
                    job.attempt(again, original);
                    byte[] content = job.directories.get(original).snapshot().get("new");
                    if (survivors.rank() == 0) {
                        job.directories.get(original).lose();
                    }
                    int rebuilt = again.recover().rebuiltRanks().size();
                    assertArrayEquals(content, job.directories.get(original).snapshot().get("new"));
                    return rebuilt;
                }
            }
        }
        throw new AssertionError("nobody died");
    }
}

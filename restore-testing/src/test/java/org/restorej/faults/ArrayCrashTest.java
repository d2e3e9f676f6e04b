package org.restorej.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.comm.testing.Checks;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.testing.Deep;
import org.restorej.testing.Seed;

/**
 * Kills every PE at every communication call of every operation on arrays, and of a wait for several messages. Every
 * survivor gets what it should, or a {@link CommunicationFailedException}; nobody waits in vain, and no memory is left.
 */
class ArrayCrashTest {
    private static final long SEED = Seed.of(ArrayCrashTest.class);
    private static final int ROUNDS = 2;

    /** What a PE does in a round, and checks. */
    private interface Round {
        void run(Communicator comm, int round);
    }

    private record Scenario(String name, Round round) {}

    private static final List<Scenario> SCENARIOS = List.of(new Scenario("sendReceive", ArrayCrashTest::halo),
            new Scenario("awaitAll", ArrayCrashTest::awaitAll), new Scenario("broadcast", ArrayCrashTest::broadcast),
            new Scenario("gather", ArrayCrashTest::gather), new Scenario("allGather", ArrayCrashTest::allGather),
            new Scenario("allToAll", ArrayCrashTest::allToAll));

    @TestFactory
    Stream<DynamicTest> survivorsGetItOrAnExceptionWhoeverFailsWhere() {
        return crashes(2, 4);
    }

    @Deep
    @TestFactory
    Stream<DynamicTest> survivorsOfMorePesGetItOrAnExceptionWhoeverFailsWhere() {
        return crashes(5, 6);
    }

    private static Stream<DynamicTest> crashes(int fewestPes, int maxPes) {
        return SCENARIOS.stream().flatMap(scenario -> IntStream.rangeClosed(fewestPes, maxPes).boxed()
                .map(pes -> DynamicTest.dynamicTest(scenario.name() + " on " + pes + " PEs",
                        () -> crashEverywhere(scenario, pes))));
    }

    private static void crashEverywhere(Scenario scenario, int pes) {
        long memoryBefore = NativeMemory.openBytes();
        AtomicInteger interrupted = new AtomicInteger();
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(pes, world -> through(scenario, world))
                .seed(SEED * 100 + pes).beforeAndAfter().checking(run -> {
                    assertTrue(!run.failures().isEmpty() || !run.survivors().contains(false), "nobody fails at first");
                    interrupted.addAndGet((int) run.survivors().stream().filter(whole -> !whole).count());
                }).run();
        assertTrue(summary.runs() >= pes, "everybody fails somewhere");
        assertTrue(interrupted.get() > 0, "some failure interrupts somebody");
        assertEquals(memoryBefore, NativeMemory.openBytes(), "native memory left behind");
    }

    /** Whether nobody has interrupted it. Those who were interrupted do all again with those who are left. */
    private static boolean through(Scenario scenario, Communicator world) {
        boolean whole = throughRounds(scenario, world);
        // Whatever the rounds have met: nobody revokes here, so that who waits is woken by them.
        if (world.agree(whole ? 1 : 0).flags() == 1) {
            return true;
        }
        try (Communicator survivors = world.shrink()) {
            Checks.holds(throughRounds(scenario, survivors), "nobody fails twice");
        }
        return whole;
    }

    private static boolean throughRounds(Scenario scenario, Communicator comm) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                scenario.round().run(comm, round);
            }
            return true;
        } catch (CommunicationFailedException failure) {
            Checks.holds(comm.isRevoked(), "a failure has revoked: " + failure);
            return false;
        }
    }

    private static int original(Communicator comm, int rank) {
        return comm.ranks().originalRankOf(rank);
    }

    private static void halo(Communicator comm, int round) {
        int up = comm.rank() - 1;
        int down = comm.rank() == comm.size() - 1 ? Communicator.NO_RANK : comm.rank() + 1;
        int me = comm.originalRank().value();
        int[] below = {-1};
        int[] above = {-1};
        comm.sendReceive(new int[]{me + round}, up, below, down, 1);
        comm.sendReceive(new int[]{me + round}, down, above, up, 2);
        Checks.equal(down < 0 ? -1 : original(comm, down) + round, below[0], "from below");
        Checks.equal(up < 0 ? -1 : original(comm, up) + round, above[0], "from above");
    }

    /** Each waits for its own two neighbours only, in memory that it frees whatever happens. */
    private static void awaitAll(Communicator comm, int round) {
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        try (Arena arena = NativeMemory.openShared()) {
            MemorySegment sent = arena.allocate(100_000, 8);
            sent.fill((byte) (comm.originalRank().value() + round));
            MemorySegment received = arena.allocate(100_000, 8);
            List<Request> started = new ArrayList<>();
            try {
                started.add(comm.iReceive(received, previous, 3));
                started.add(comm.iSsend(sent, next, 3));
                comm.awaitAll(started);
            } catch (CommunicationFailedException failure) {
                // Also when the second could not be started.
                comm.revoke();
                started.forEach(Request::cancel);
                throw failure;
            }
            Checks.equal((byte) (original(comm, previous) + round), received.get(ValueLayout.JAVA_BYTE, 99_999),
                    "byte");
        }
    }

    private static void broadcast(Communicator comm, int round) {
        int root = round % comm.size();
        // The second one is long enough for more than one message.
        double[] values = new double[round == 1 ? 600 : 1];
        if (comm.rank() == root) {
            Arrays.fill(values, original(comm, root));
        }
        comm.broadcast(values, root);
        Checks.equal((double) original(comm, root), values[values.length - 1], "content of the root");
    }

    private static void gather(Communicator comm, int round) {
        int root = round % comm.size();
        int me = comm.originalRank().value();
        long[][] all = comm.gather(new long[]{me, me}, root);
        if (all != null) {
            requireRanks(comm, all, 2);
        }
    }

    /** In the second round one has so much that it goes from PE to PE. */
    private static void allGather(Communicator comm, int round) {
        boolean big = round == 1 && comm.rank() == 0;
        long[] mine = new long[big ? 20_000 : 1];
        Arrays.fill(mine, comm.originalRank().value());
        requireRanks(comm, comm.allGather(mine), 1);
    }

    private static void requireRanks(Communicator comm, long[][] all, int atLeast) {
        for (int rank = 0; rank < comm.size(); rank++) {
            Checks.holds(all[rank].length >= atLeast, "length of the array of " + rank);
            Checks.equal((long) original(comm, rank), all[rank][all[rank].length - 1], "array of " + rank);
        }
    }

    private static void allToAll(Communicator comm, int round) {
        int[][] sent = new int[comm.size()][0];
        int me = comm.originalRank().value();
        for (int distance = 0; distance <= round % 2; distance++) {
            sent[(comm.rank() + distance) % comm.size()] = new int[]{me, round};
        }
        int[][] received = comm.allToAll(sent);
        TreeSet<Integer> senders = new TreeSet<>();
        for (int rank = 0; rank < comm.size(); rank++) {
            if (received[rank].length > 0) {
                Checks.equal(Arrays.toString(new int[]{original(comm, rank), round}), Arrays.toString(received[rank]),
                        "array of " + rank);
                senders.add(rank);
            }
        }
        Checks.equal(Math.min(comm.size(), 1 + round % 2), senders.size(), "senders");
    }
}

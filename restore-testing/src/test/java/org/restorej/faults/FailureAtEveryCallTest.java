package org.restorej.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

class FailureAtEveryCallTest {
    private static final int ROUNDS = 2;

    /** Sums in rounds, and repeats those in which a PE fails; the result depends on nobody. */
    private static long survives(Communicator world) {
        Communicator comm = world;
        long done = 0;
        while (done < ROUNDS) {
            boolean whole = true;
            try {
                comm.allReduce(1L, Reduction.MAX);
            } catch (CommunicationFailedException failure) {
                comm.revoke();
                whole = false;
            }
            if (comm.agree(whole ? 1 : 0).flags() == 1) {
                done++;
            } else {
                comm = comm.shrink();
            }
        }
        return done;
    }

    /** Forgets that others are gone. */
    private static long countsWhoIsLeft(Communicator world) {
        survives(world);
        return world.agree(1).processFailed() ? -1 : world.size();
    }

    private static String message(FailureAtEveryCall<?> test) {
        return String.valueOf(assertThrows(AssertionError.class, test::run).getMessage());
    }

    @Test
    void everyPeFailsAtEveryCall() {
        Set<Failure> failures = Collections.synchronizedSet(new HashSet<>());
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives)
                .checking(run -> failures.addAll(run.failures())).run();
        assertEquals(summary.calls(), summary.runs());
        assertEquals(summary.runs(), failures.size());
        assertEquals(0, summary.runsWithSecondFailure());
        for (int pe = 0; pe < 3; pe++) {
            int each = pe;
            assertTrue(failures.stream().filter(failure -> failure.pe() == each).count() > ROUNDS, "calls of " + pe);
        }
        assertEquals(2, failures.stream().map(Failure::before).distinct().count(), "before and after");
    }

    @Test
    void bothSidesOfEachCallAreTriedIfWanted() {
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).beforeAndAfter()
                .run();
        assertEquals(2 * summary.calls(), summary.runs());
    }

    @Test
    void pollsInVainAreTriedIfWanted() {
        FailureAtEveryCall.Summary all = FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).repeatedPolls()
                .run();
        FailureAtEveryCall.Summary first = FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).run();
        assertTrue(all.calls() > first.calls(), all + ", " + first);
    }

    @Test
    void aSecondPeFailsIfWanted() {
        AtomicInteger two = new AtomicInteger();
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives)
                .secondFailures(1).checking(run -> {
                    assertEquals(3 - run.failures().size(), run.survivors().size());
                    two.addAndGet(run.failures().size() == 2 ? 1 : 0);
                }).run();
        assertTrue(two.get() > 0 && two.get() == summary.runsWithSecondFailure(), "runs with two failures " + two);
    }

    @Test
    void theErrorNamesPeAndCallAndRepeatsTheRunThatWentWrong() {
        String message = message(FailureAtEveryCall.of(3, FailureAtEveryCallTest::countsWhoIsLeft).seed(7));
        Matcher repeat = Pattern.compile("(PE \\d failed (before|after) its call \\d+ \\(\\w+\\)), with seed 7 "
                + "\\(run \\d+; to repeat it: \\.seed\\(7\\)\\.repeat\\(\"(\\d@\\d+[-+])\"\\)\\): all PEs must return 3, "
                + "as PE 0 did without failures, but one has returned -1").matcher(message);
        assertTrue(repeat.matches(), message);
        AssertionError again = assertThrows(AssertionError.class, () -> FailureAtEveryCall
                .of(3, FailureAtEveryCallTest::countsWhoIsLeft).seed(7).repeat(repeat.group(3)));
        assertTrue(String.valueOf(again.getMessage()).startsWith(repeat.group(1)), again.getMessage());
    }

    @Test
    void survivorsThatWaitForEachOtherAreAnErrorAndNoHang() {
        String message = message(FailureAtEveryCall.of(3, world -> {
            try {
                world.allReduce(1L, Reduction.SUM);
            } catch (CommunicationFailedException failure) {
                Communicator survivors = world.shrink();
                if (survivors.rank() == 0) {
                    survivors.barrier();
                } else {
                    // Nobody will ever send this.
                    survivors.awaitAll(List.of(survivors.iReceive(Arena.ofAuto().allocate(8), 0, 1)));
                }
            }
            return 0;
        }));
        assertTrue(message.contains("to repeat it"), message);
    }

    @Test
    void onlyEveryNthCallIsTried() {
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives).everyNth(5)
                .run();
        assertTrue(summary.runs() >= summary.calls() / 5 && summary.runs() <= summary.calls() / 5 + 1,
                () -> summary.toString());
    }

    @Test
    void noRunBeginsAfterTheTimeIsOver() {
        assertEquals(0, FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives).within(Duration.ZERO).run().runs());
    }

    @Test
    void onlyThePartOfTheProgramIsTriedThatItTells() {
        Set<Failure> failures = new HashSet<>();
        Set<Integer> planned = Collections.synchronizedSet(new HashSet<>());
        FailureAtEveryCall.Summary part = FailureAtEveryCall.ofPart(3, (world, told) -> {
            survives(world);
            told.begin();
            long result = survives(world);
            told.end();
            planned.add(told.failures());
            return survives(world) + result;
        }).checking(run -> failures.addAll(run.failures())).run();
        FailureAtEveryCall.Summary once = FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives).run();
        assertTrue(part.calls() < 2 * once.calls(), part + ", " + once);
        assertTrue(failures.stream().allMatch(failure -> failure.call() > ROUNDS), "failures " + failures);
        assertEquals(Set.of(0, 1), planned);
    }

    @Test
    void onlyCallsAreTriedThatAreWanted() {
        Set<Integer> pes = new HashSet<>();
        FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives)
                .at(call -> call.pe() == 1 && call.operation() == Operation.AGREE)
                .checking(run -> run.failures().forEach(failure -> pes.add(failure.pe()))).run();
        assertEquals(Set.of(1), pes);
    }

    @Test
    void severalRunsGoOnAtOnceIfWanted() {
        FailureAtEveryCall.Summary one = FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives).run();
        assertEquals(one, FailureAtEveryCall.of(3, FailureAtEveryCallTest::survives).parallel(4).run());
    }

    @Test
    void eachRunIsPrepared() {
        AtomicInteger prepared = new AtomicInteger();
        FailureAtEveryCall.Summary summary = FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives)
                .before(prepared::incrementAndGet).run();
        assertEquals(1 + summary.runs(), prepared.get());
    }

    @Test
    void aFailureThatNeverHappensIsAnError() {
        AssertionError error = assertThrows(AssertionError.class,
                () -> FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).repeat("0@100000-"));
        assertTrue(String.valueOf(error.getMessage()).contains("these failures never happened: [0@100000-]"),
                error.getMessage());
    }

    @Test
    void aFailureOfAPeThatThereIsNotIsRefused() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).repeat("9@1-"));
        assertEquals("failures must be of PEs 0 to 1: failures=9@1-", error.getMessage());
    }

    /** Where it fails before, the program doesn't come to that, or has one survivor less. */
    @Test
    void aProgramMayMakeAPeFailItself() {
        FailureAtEveryCall.of(3, world -> {
            survives(world);
            if (world.agree(1).flags() == 1 && world.rank() == 2) {
                FailureSimulation.of(world).fail(2);
            }
            return survives(world.shrink());
        }).secondFailures(2).run();
    }

    @Test
    void whereNobodyCommunicatesNothingIsTestedAndThatIsAnError() {
        assertTrue(message(FailureAtEveryCall.of(2, world -> 0)).contains("no PE makes a call to fail at"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1@2", "x@2-", "1@2-,", "1@2- 0@3+"})
    void whatIsNoFailureIsRefused(String text) {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class,
                () -> FailureAtEveryCall.of(2, FailureAtEveryCallTest::survives).repeat(text));
        assertEquals("failures must be like \"1@17-, 0@40+\": failures=" + text, error.getMessage());
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        List<Runnable> wrong = List.of(() -> FailureAtEveryCall.of(1, world -> 0),
                () -> FailureAtEveryCall.of(2, world -> 0).everyNth(0),
                () -> FailureAtEveryCall.of(2, world -> 0).secondFailures(-1),
                () -> FailureAtEveryCall.of(2, world -> 0).parallel(0));
        wrong.forEach(call -> assertThrows(IllegalArgumentException.class, call::run));
    }
}

package org.restorej.internal.settlement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.FailureSimulation.SimulatedFailureError;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.LimitedRun;
import org.restorej.testing.LogLines;

/** Results, flags, failures, and agreements that do not come about. */
class SettlementTest {
    /** Otherwise the others would wait for it in the inner one. */
    @Test
    void anAgreementThatEndsInAFailureIsNotFollowedByTheOneAround() {
        assertNoSecondAgreement(ProcessFailedException.class,
                () -> new ProcessFailedException("agree", new TreeSet<>()));
        assertNoSecondAgreement(CommunicatorRevokedException.class, () -> new CommunicatorRevokedException("agree"));
        assertNoSecondAgreement(IllegalStateException.class, () -> new IllegalStateException("agree"));
        assertNoSecondAgreement(KeepsNothing.class, KeepsNothing::new);
    }

    @Test
    void nobodyKeepsWhatAPartHasThrown() {
        LocalCluster.run(1, world -> {
            WeakReference<Throwable> thrown = new WeakReference<>(assertThrows(IllegalStateException.class,
                    () -> new Meeting().at(world).settle("a part", () -> {
                        throw new IllegalStateException("a mistake");
                    })));
            for (int collection = 0; collection < 100 && thrown.get() != null; collection++) {
                System.gc();
            }
            assertNull(thrown.get());
            return true;
        });
    }

    @Test
    void aPeThatFailsInItsPartThrowsItsFailureAndWarnsOfNothing() {
        try (LogLines log = new LogLines("org.restorej", Level.WARNING)) {
            assertEquals(List.of(new PeOutcome.Returned<>(OriginalRank.of(0), true),
                    new PeOutcome.Failed<>(OriginalRank.of(1))),
                    LimitedRun.outcomes(2, SettlementTest::dieInsideOfTwo));
            assertEquals(List.of(), log.lines().stream().filter(message -> message.contains("gives up")).toList());
        }
    }

    private static boolean dieInsideOfTwo(Communicator world) {
        AtomicBoolean aborted = new AtomicBoolean();
        try {
            Underway underway = () -> aborted.set(true);
            new Meeting().at(world).settle(underway, "outer",
                    () -> new Meeting().at(world).settle(underway, "inner", () -> {
                        FailureSimulation.of(world).fail(1);
                        world.allReduce(new long[1], Reduction.SUM);
                        return Outcome.of(true);
                    }));
            throw new AssertionError("settled without rank 1");
        } catch (ProcessFailedException survived) {
            return aborted.get();
        } catch (SimulatedFailureError failed) {
            assertFalse(aborted.get(), "a failed process does nothing more");
            throw failed;
        }
    }

    /** On MPI the memory of a pending message would be freed while MPI still writes to it. */
    @Test
    void whatIsUnderWayIsGivenUpAlsoAfterAnExceptionOfThePart() {
        LocalCluster.run(2, world -> {
            List<Request> pending = new CopyOnWriteArrayList<>();
            AtomicBoolean aborted = new AtomicBoolean();
            Underway underway = () -> {
                aborted.set(true);
                pending.forEach(Request::cancel);
            };
            try (Arena arena = Arena.ofShared()) {
                RuntimeException met = assertThrows(RuntimeException.class,
                        () -> new Meeting().at(world).settle(underway, "a part", () -> {
                            pending.add(world.iReceive(arena.allocate(8), 1 - world.rank(), 3));
                            if (world.rank() == 1) {
                                throw new IllegalArgumentException("of this PE");
                            }
                            pending.getFirst().await();
                            return Outcome.of(true);
                        }));
                assertEquals(world.rank() == 1
                        ? "of this PE"
                        : "a part failed: original rank 1 has thrown an exception of its own, and the communicator is "
                                + "revoked",
                        met.getMessage());
                assertEquals(true, aborted.get(), "what was under way is given up");
            }
            return true;
        });
    }

    /** The others wait for this PE in the agreement. */
    @Test
    @Timeout(60)
    void aPeThatCannotAbortWhatIsUnderWayComesToTheAgreement() {
        IllegalStateException stuck = new IllegalStateException("MPI still uses the memory");
        IllegalArgumentException own = new IllegalArgumentException("of this PE");
        LocalCluster.run(2, world -> {
            Underway underway = () -> {
                if (world.rank() == 1) {
                    throw stuck;
                }
            };
            RuntimeException met = assertThrows(RuntimeException.class,
                    () -> new Meeting().at(world).settle(underway, "a part", () -> {
                        if (world.rank() == 1) {
                            throw own;
                        }
                        return Outcome.of(world.allReduce(1L, Reduction.SUM));
                    }));
            if (world.rank() == 1) {
                assertEquals(own, met);
                assertEquals(List.of(stuck), List.of(met.getSuppressed()));
            } else {
                assertEquals(CommunicatorRevokedException.class, met.getClass());
            }
            return true;
        });
    }

    /** All survivors throw alike. */
    @Test
    @Timeout(60)
    void aPeThatCannotAbortWhatIsUnderWayThrowsWhatAllThrow() {
        IllegalStateException stuck = new IllegalStateException("MPI still uses the memory");
        LocalCluster.run(2, world -> {
            Underway underway = () -> {
                if (world.rank() == 1) {
                    throw stuck;
                }
            };
            CommunicatorRevokedException met = assertThrows(CommunicatorRevokedException.class,
                    () -> new Meeting().at(world).settle(underway, "a part", () -> {
                        if (world.rank() == 0) {
                            throw new CommunicatorRevokedException("a message");
                        }
                        return Outcome.of(true);
                    }));
            assertEquals(world.rank() == 1 ? List.of(stuck) : List.of(), List.of(met.getSuppressed()));
            return true;
        });
    }

    /** Keeps nothing that is suppressed, as an OutOfMemoryError of the JVM. */
    private static final class KeepsNothing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        KeepsNothing() {
            super("agree", null, false, false);
        }
    }

    /** Another thread goes on with it, and this one throws on what that has met. */
    @Test
    void anAgreementThatAnotherThreadHasMissedIsNotFollowedByTheOneAround() {
        assertNoSecondAgreement(IllegalStateException.class, () -> new IllegalStateException("agree"), inner -> {
            AtomicReference<RuntimeException> met = new AtomicReference<>();
            AtomicReference<Thrower> thrower = new AtomicReference<>();
            Checks.inAnotherThread(() -> {
                met.set(assertThrows(RuntimeException.class, inner::get));
                thrower.set(Thrower.of(met.get()));
            });
            thrower.get().threw(met.get());
            throw met.get();
        });
    }

    private static void assertNoSecondAgreement(Class<? extends Throwable> expected, Supplier<Throwable> failure) {
        assertNoSecondAgreement(expected, failure, Supplier::get);
    }

    private static void assertNoSecondAgreement(Class<? extends Throwable> expected, Supplier<Throwable> failure,
            Function<Supplier<Boolean>, Boolean> outer) {
        LocalCluster.run(1, world -> {
            AtomicInteger agreements = new AtomicInteger();
            Communicator cannotAgree = (Communicator) Proxy.newProxyInstance(Communicator.class.getClassLoader(),
                    new Class<?>[]{Communicator.class}, (self, method, arguments) -> {
                        if (method.getName().equals("iAgree")) {
                            agreements.incrementAndGet();
                            throw failure.get();
                        }
                        return method.invoke(world, arguments);
                    });
            assertThrows(expected, () -> new Meeting().at(cannotAgree).settle("outer",
                    () -> outer.apply(() -> new Meeting().at(cannotAgree).settle("inner", () -> true))));
            assertEquals(1, agreements.get());
            return true;
        });
    }
}

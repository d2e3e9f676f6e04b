package org.restorej;

import static org.restorej.AsyncStorePrograms.BLOCKS;
import static org.restorej.AsyncStorePrograms.begin;
import static org.restorej.AsyncStorePrograms.content;
import static org.restorej.AsyncStorePrograms.share;
import static org.restorej.AsyncStorePrograms.store;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.inAnotherThread;
import static org.restorej.comm.testing.Checks.throwing;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.Placement;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/** How whoever waits for a submit in the background gets to know its end, a refusal too, while nobody dies. */
public final class PendingSubmitPrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("anInvalidSubmissionIsToldWhenItIsAwaited", 1, PendingSubmitPrograms::invalidAwaited),
            new ContractProgram("anInvalidSubmissionIsToldByTheNextCall", 1, PendingSubmitPrograms::invalidNextCall),
            new ContractProgram("recoverOnlyWaitsForAnInvalidSubmission", 1, PendingSubmitPrograms::invalidRecover),
            new ContractProgram("memoryOfTheThreadMayBeSubmitted", 1, PendingSubmitPrograms::confinedMemory),
            new ContractProgram("anotherThreadMayEndASubmit", 1, PendingSubmitPrograms::endedByAnotherThread),
            new ContractProgram("anInterruptDoesNotEndTheWaiting", 1, PendingSubmitPrograms::interrupted),
            new ContractProgram("aPendingSubmitIsAFuture", 1, PendingSubmitPrograms::future),
            new ContractProgram("aFutureTellsOfAFailure", 1, PendingSubmitPrograms::failedFuture),
            new ContractProgram("theStateOfAFutureIsToldWhileTheStoreIsUsed", 1, PendingSubmitPrograms::stateInside),
            new ContractProgram("aFutureThatIsInterruptedOrLateGoesOn", 1, PendingSubmitPrograms::lateFuture));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** On rank 0 the last block is not written. */
    private static Submission invalid(Communicator world) {
        return share(world, (id, block) -> {
            if (id == 3) {
                throw new ArithmeticException("no block 3");
            }
            content(2).write(id, block);
        });
    }

    private static void requireRefusal(RuntimeException refusal) {
        holds(String.valueOf(refusal.getMessage()).contains("no block 3"), "the message says why: " + refusal);
    }

    private static void requireOldGeneration(Communicator world, ReStore store) {
        equal(1L, store.generation(), "generation after a refused submission");
        content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        StoreReport.Totals totals = store.report().totals(Operation.SUBMIT);
        equal(1L, totals.failures(), "failed submits noted");
        equal(2L, store.submitAsync(share(world, content(3)::write)).await(), "number of the next generation");
        content(3).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
    }

    private static void invalidAwaited(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            PendingOperation<Long> pending = store.submitAsync(invalid(world));
            requireRefusal(throwing(InvalidSubmissionException.class, pending::await, "await"));
            requireRefusal(throwing(InvalidSubmissionException.class, pending::await, "await again"));
            holds(pending.isDone(), "done though refused");
            if (world.rank() == 0) {
                equal(0L, pending.submittedBytes(), "bytes of a PE that could not write");
            }
            requireOldGeneration(world, store);
        }
    }

    private static void invalidNextCall(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            PendingOperation<Long> pending = store.submitAsync(invalid(world));
            requireRefusal(throwing(InvalidSubmissionException.class, store::replenish, "the next call"));
            equal(0L, store.replenish(), "bytes that the call after it replenished");
            requireRefusal(throwing(InvalidSubmissionException.class, pending::await, "await"));
            requireOldGeneration(world, store);
        }
    }

    private static void invalidRecover(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            PendingOperation<Long> pending = store.submitAsync(invalid(world));
            store.recover(world);
            holds(pending.isDone(), "done after recover");
            requireRefusal(throwing(InvalidSubmissionException.class, pending::await, "await"));
            requireOldGeneration(world, store);
        }
    }

    private static void confinedMemory(Communicator world) {
        Placement runs = new Placement(world.size(), BLOCKS, 1);
        BlockRange mine = BlockRange.of(runs.firstPosition(world.rank()), runs.blocksIn(world.rank()));
        try (ReStore store = store(world); Arena confined = Arena.ofConfined()) {
            PendingOperation<Long> pending = store
                    .submitAsync(new Submission().add(mine, content(1).memory(confined, mine)));
            pending.await();
            content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    private static void endedByAnotherThread(Communicator world) {
        try (ReStore store = store(world)) {
            PendingOperation<Long> first = store.submitAsync(share(world, content(1)::write));
            inAnotherThread(() -> equal(1L, first.await(), "number of the generation, in another thread"));
            equal(1L, first.await(), "number of the generation");
            content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            PendingOperation<Long> refused = store.submitAsync(invalid(world));
            inAnotherThread(() -> requireRefusal(throwing(InvalidSubmissionException.class, refused::await, "await")));
            requireOldGeneration(world, store);
        }
    }

    private static void interrupted(Communicator world) {
        try (ReStore store = store(world)) {
            PendingOperation<Long> pending = begin(world, store, share(world, content(1)::write),
                    early -> AsyncStorePrograms.ringAndSum(world, 1));
            Thread.currentThread().interrupt();
            equal(1L, pending.await(), "number of the generation");
            holds(Thread.interrupted(), "the caller is told of the interrupt afterwards");
            content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    private static long got(Callable<Long> get) {
        try {
            return get.call();
        } catch (Exception unexpected) {
            throw new AssertionError("get", unexpected);
        }
    }

    private static @Nullable Throwable failureOf(Callable<Long> get) {
        try {
            get.call();
            return null;
        } catch (Exception thrown) {
            return thrown;
        }
    }

    private static void future(Communicator world) {
        try (ReStore store = store(world)) {
            Future<Long> future = begin(world, store, share(world, content(1)::write), early -> {
                if (early != null) {
                    equal(Future.State.RUNNING, early.state(), "state while it is under way");
                }
                AsyncStorePrograms.ringAndSum(world, 1);
            });
            holds(!future.cancel(true), "a submit can't be cancelled");
            equal(1L, got(future::get), "number of the generation");
            equal(1L, got(() -> future.get(0, TimeUnit.SECONDS)), "number of the generation, asked again");
            holds(future.isDone() && !future.isCancelled(), "done, not cancelled");
            equal(Future.State.SUCCESS, future.state(), "state");
            equal(1L, store.generation(), "generation that can be read");
            content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }

    /** Also by what the store calls, which may not call the store. */
    private static void stateInside(Communicator world) {
        try (ReStore store = store(world)) {
            Future<Long> future = store.submitAsync(share(world, content(1)::write));
            equal(1L, got(future::get), "number of the generation");
            List<Future.State> states = new ArrayList<>();
            store.pull(BlockRanges.of(0, 2), (id, block) -> states.add(future.state()));
            equal(List.of(Future.State.SUCCESS, Future.State.SUCCESS), states, "states");
        }
    }

    private static void failedFuture(Communicator world) {
        try (ReStore store = store(world)) {
            store.submit(share(world, content(1)::write));
            Future<Long> future = store.submitAsync(invalid(world));
            Throwable thrown = failureOf(() -> future.get(1, TimeUnit.HOURS));
            holds(thrown instanceof ExecutionException failed
                    && failed.getCause() instanceof InvalidSubmissionException, "the failure as a cause: " + thrown);
            equal(Future.State.FAILED, future.state(), "state");
            requireRefusal((InvalidSubmissionException) future.exceptionNow());
            requireOldGeneration(world, store);
        }
    }

    private static void lateFuture(Communicator world) {
        try (ReStore store = store(world)) {
            PendingOperation<Long> pending = begin(world, store, share(world, content(1)::write), early -> {
                if (early != null) {
                    String late = String.valueOf(failureOf(() -> early.get(1, TimeUnit.MILLISECONDS)));
                    holds(late.contains("TimeoutException: the submit was not done within 1 MILLISECONDS: 0 of"), late);
                    Thread.currentThread().interrupt();
                    holds(failureOf(early::get) instanceof InterruptedException, "an InterruptedException");
                    holds(!Thread.currentThread().isInterrupted(), "the interrupt is told by the exception");
                }
                AsyncStorePrograms.ringAndSum(world, 1);
            });
            equal(1L, got(pending::get), "number of the generation");
            content(1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
        }
    }
}

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
import java.util.List;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.report.StoreReport;
import org.restorej.report.StoreReport.Operation;

/** How whoever waits for a submit in the background gets to know its end, a refusal too, while nobody fails. */
public final class PendingSubmitPrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("anInvalidSubmissionIsToldWhenItIsAwaited", 1, PendingSubmitPrograms::invalidAwaited),
            new ContractProgram("anInvalidSubmissionIsToldByTheNextCall", 1, PendingSubmitPrograms::invalidNextCall),
            new ContractProgram("recoverOnlyWaitsForAnInvalidSubmission", 1, PendingSubmitPrograms::invalidRecover),
            new ContractProgram("memoryOfTheThreadMayBeSubmitted", 1, PendingSubmitPrograms::confinedMemory),
            new ContractProgram("anotherThreadMayEndASubmit", 1, PendingSubmitPrograms::endedByAnotherThread),
            new ContractProgram("anInterruptDoesNotEndTheWaiting", 1, PendingSubmitPrograms::interrupted));

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
        BlockRange mine = StorePrograms.ownRun(world, BLOCKS);
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
}

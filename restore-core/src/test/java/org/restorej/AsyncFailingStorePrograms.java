package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.List;
import java.util.Objects;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.comm.testing.Messages;
import org.restorej.placement.FailedRanks;
import org.restorej.report.StoreReport.Operation;

/** What a store promises of a submit in the background when a PE fails meanwhile. Each program needs a job of its own. */
public final class AsyncFailingStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("awaitTellsAllSurvivorsOfAFailureMeanwhile", 3, AsyncFailingStorePrograms::awaited),
            new ContractProgram("theNextCallTellsAllSurvivorsOfAFailureMeanwhile", 3,
                    AsyncFailingStorePrograms::nextCall),
            new ContractProgram("recoverOnlyWaitsForASubmitThatAFailureHasEnded", 3,
                    AsyncFailingStorePrograms::recovered),
            new ContractProgram("closingAStoreWithASubmitThatAFailureHasEnded", 3, AsyncFailingStorePrograms::closed))
            .stream().map(ContractProgram::ofSurvivors).toList();

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore store(Communicator world) {
        ReStore store = ReStore.builder(world).blocks(AsyncStorePrograms.BLOCKS).blockSizeBytes(40).replication(2)
                .permutationRangeBlocks(7).build();
        store.submit(AsyncStorePrograms.share(world, AsyncStorePrograms.content(1)::write));
        return store;
    }

    /** Lets the last PE die while the others submit and wait for it; it has not begun itself. */
    private static PendingOperation<Long> submitAndLose(Communicator world, ReStore store) {
        int victim = world.size() - 1;
        Submission mine = AsyncStorePrograms.share(world, AsyncStorePrograms.content(2)::write);
        PendingOperation<Long> pending = world.rank() == victim ? null : store.submitAsync(mine);
        // The application is in the middle of its own messages.
        AsyncStorePrograms.ringAndSum(world, 1);
        if (pending != null) {
            holds(!pending.isDone(), "nobody is done without the victim");
        }
        letEverybodyLookFirst(world, victim);
        FailureSimulation.of(world).fail(victim);
        return Objects.requireNonNull(pending, "of a survivor");
    }

    /** The victim waits for a message of each of the others. */
    private static void letEverybodyLookFirst(Communicator world, int victim) {
        if (world.rank() != victim) {
            Messages.await(world.iSend(Messages.number(world.rank()), victim, 4));
            return;
        }
        for (int other = 0; other < victim; other++) {
            equal((long) other, Messages.receiveNumber(world, other, 4), "message before the failure");
        }
    }

    private static void requireFailure(int victim, ProcessFailedException failure) {
        // A PE may know that somebody has failed before it knows who.
        holds(failure.failedRanks().stream().allMatch(rank -> rank.value() == victim),
                "nobody else has failed: " + failure.failedRanks());
        holds(String.valueOf(failure.getMessage()).contains("submit of generation 2 (generation 1 is kept)"),
                "the message says what failed: " + failure.getMessage());
    }

    private static void goOn(Communicator world, ReStore store) {
        int victim = world.size() - 1;
        world.revoke();
        Communicator survivors = world.shrink();
        store.recover(survivors);
        equal(1L, store.generation(), "generation after the failure");
        equal(FailedRanks.of(victim), store.failedRanks(), "failed ranks");
        AsyncStorePrograms.content(1).pullAndCheck(store, BlockRanges.of(0, AsyncStorePrograms.BLOCKS));
        equal(1L, store.report().totals(Operation.SUBMIT).failures(), "failed submits noted");
        TestBlocks again = AsyncStorePrograms.content(3);
        PendingOperation<Long> pending = store.submitAsync(AsyncStorePrograms.share(survivors, again::write));
        equal(2L, pending.await(), "number of the generation submitted again");
        again.pullAndCheck(store, BlockRanges.of(0, AsyncStorePrograms.BLOCKS));
    }

    private static void awaited(Communicator world) {
        try (ReStore store = store(world)) {
            PendingOperation<Long> pending = submitAndLose(world, store);
            requireFailure(world.size() - 1, throwing(ProcessFailedException.class, pending::await, "await"));
            goOn(world, store);
            throwing(ProcessFailedException.class, pending::await, "await long afterwards");
        }
    }

    private static void nextCall(Communicator world) {
        try (ReStore store = store(world)) {
            var _ = submitAndLose(world, store);
            requireFailure(world.size() - 1,
                    throwing(ProcessFailedException.class, store::scrub, "the next call of the store"));
            goOn(world, store);
        }
    }

    private static void recovered(Communicator world) {
        try (ReStore store = store(world)) {
            PendingOperation<Long> pending = submitAndLose(world, store);
            while (!pending.isDone()) {
                // Until the victim has failed, it and the others still need the communicator that is revoked next.
                Thread.onSpinWait();
            }
            goOn(world, store);
            requireFailure(world.size() - 1, throwing(ProcessFailedException.class, pending::await, "await"));
        }
    }

    private static void closed(Communicator world) {
        PendingOperation<Long> pending;
        try (ReStore store = store(world)) {
            pending = submitAndLose(world, store);
        }
        holds(pending.isDone(), "done when the store is closed");
        requireFailure(world.size() - 1, throwing(ProcessFailedException.class, pending::await, "await"));
    }
}

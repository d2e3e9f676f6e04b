package org.restorej.internal.operation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.message.Completely;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.transfer.Channel;
import org.restorej.placement.FailedRanks;
import org.restorej.report.StoreReport.Operation;

/** Moves stores to the communicator of the survivors; several of them by one agreement. */
public final class StoreRecovery {
    private StoreRecovery() {}

    /** Everything for the move of a store, prepared before the agreement. */
    record Move(Communicator survivors, StoreRanks ranks, @Nullable Generation generation,
            Channel channel) {}

    /** Recovers stores that are not in a call; see {@link #recover}. Collective. */
    public static <T> Outcome<T> recoverTogether(List<StoreState> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        List<StoreCalls.Call> calls = new ArrayList<>();
        try {
            for (StoreState store : stores) {
                calls.add(store.calls().begin("recover"));
                endBefore(store);
            }
            return recover(stores, meeting, survivors, last);
        } finally {
            calls.forEach(StoreCalls.Call::close);
        }
    }

    /** Ends operations that a recovery ends; called inside a call. */
    static void endBefore(StoreState store) {
        store.calls().checkOpen();
        store.calls().endPending();
        store.discardStaged();
    }

    /**
     * Moves stores to the survivors, all of them or none, by one agreement, and records it. Collective.
     *
     * @param last completes this PE's part, given the failed ranks of all stores
     */
    static <T> Outcome<T> recover(List<StoreState> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        List<StoreMonitor.Observation> observations = stores.stream()
                .map(each -> each.monitor().begin(Operation.RECOVER))
                .toList();
        try {
            Outcome<T> outcome = move(stores, meeting, survivors, last);
            for (int store = 0; store < stores.size(); store++) {
                observations.get(store).end(stores.get(store), null);
            }
            return outcome;
        } catch (Throwable failure) {
            for (int store = 0; store < stores.size(); store++) {
                observations.get(store).end(stores.get(store), failure);
            }
            throw failure;
        }
    }

    /** Moves stores as {@link #recover(List, Meeting, Communicator, Function)}, without recording it. Collective. */
    static <T> Outcome<T> move(List<StoreState> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        List<Move> moves = new ArrayList<>();
        Channel[] old = new Channel[stores.size()];
        Outcome<T> outcome;
        try {
            outcome = meeting.at(survivors).settle(() -> {}, StoreState.OPENING, () -> {
                stores.forEach(each -> moves.add(each.moveTo(survivors)));
                return last.apply(moves.stream().map(move -> move.ranks().failedRanks()).toList());
            });
        } catch (Throwable failure) {
            moves.forEach(move -> move.channel().close());
            throw failure;
        }
        // All PEs have agreed: every store moves, even if an old channel can't be closed.
        for (int store = 0; store < old.length; store++) {
            old[store] = stores.get(store).take(moves.get(store));
        }
        Completely.forEach(Arrays.asList(old), Channel::close);
        return outcome;
    }
}

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

/** Takes stores to the communicator of survivors, several of them by one agreement. */
public final class StoreRecovery {
    private StoreRecovery() {}

    /** What takes a store to the survivors, made before all agree on it. */
    record Move(Communicator survivors, StoreRanks ranks, @Nullable Generation generation,
            Channel channel) {}

    /**
     * As {@link #recover}, of stores that are in no call. Collective.
     */
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

    /** Ends what a recovery ends; inside of that call. */
    static void endBefore(StoreState store) {
        store.calls().checkOpen();
        store.calls().endPending();
        store.discardStaged();
    }

    /**
     * Has stores go on with the survivors, all of them or none, by one agreement, and notes it. Collective.
     *
     * @param last ends this PE's part, by what all stores will know of failed ranks
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

    /** As {@link #recover(List, Meeting, Communicator, Function)}, without a note. Collective. */
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
        // All have agreed: every store moves, also if an old channel can't be closed.
        for (int store = 0; store < old.length; store++) {
            old[store] = stores.get(store).take(moves.get(store));
        }
        Completely.forEach(Arrays.asList(old), Channel::close);
        return outcome;
    }
}

package org.restorej.internal.access;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Function;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.operation.StoreRecovery;
import org.restorej.internal.operation.StoreState;
import org.restorej.placement.FailedRanks;

/** What loops, rows and objects do with a store, and applications can't. */
public final class StoreAccess {
    private StoreAccess() {}

    /**
     * Notes that the others come to a collective call of the store now, and that this thread is about to begin its
     * part. What is thrown before that is told them by {@link #leave}. Local, and needs no memory.
     */
    public static void expect(StoreHandle store) {
        StoreState state = store.behind();
        state.calls().expect(state.channel().communicator());
    }

    /** A loop keeps a store: calls that it {@linkplain #expect expects} come to its meeting. */
    public static void keep(StoreHandle store, Meeting meeting) {
        store.behind().calls().keptBy(meeting);
    }

    /**
     * Throws what keeps this PE from a collective call at which the others are. The others get an exception from their
     * call, and keep what they have.
     *
     * @param operation name of the call, for messages
     * @param reason is thrown on this PE
     */
    public static void leave(StoreHandle store, String operation, Throwable reason) {
        StoreState state = store.behind();
        try (var _ = state.calls().begin(operation)) {
            Meeting meeting = state.meet();
            state.calls().endPending();
            meeting.settle(state.channel(), operation, () -> {
                throw Settlement.<RuntimeException>sneakyThrow(reason);
            });
        }
    }

    /**
     * Closes an arena whose memory was the destination of a read or the source of a submit: after a failure not before
     * the next recovery, since messages may still be under way in it. Local.
     */
    public static void release(StoreHandle store, Arena arena) {
        store.behind().channel().release(arena::close);
    }

    /**
     * Has stores go on with the survivors, all of them or none, by one agreement. Collective.
     *
     * @param meeting of the caller, at the survivors
     * @param last ends this PE's part, by the failed ranks that each store will have; its flags are compared
     */
    public static <T> Outcome<T> recover(List<? extends StoreHandle> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        return StoreRecovery.recoverTogether(stores.stream().map(StoreHandle::behind).toList(), meeting, survivors,
                last);
    }
}

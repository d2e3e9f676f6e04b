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

/** Operations on a store that are available to loops, rows and objects, but not to applications. */
public final class StoreAccess {
    private StoreAccess() {}

    /**
     * Records that the other PEs enter a collective call of the store now and that this thread is about to enter it. If
     * it throws an exception before, {@link #leave} tells the others. Local; allocates nothing.
     */
    public static void expect(StoreHandle store) {
        store.state.calls().expect(store.state.channel().communicator());
    }

    /** Makes calls that a loop {@linkplain #expect expects} use the loop's meeting. */
    public static void keep(StoreHandle store, Meeting meeting) {
        store.state.calls().keptBy(meeting);
    }

    /**
     * Throws what prevents this PE from a collective call in which the others wait. Their calls throw an exception and
     * leave their stores unchanged.
     *
     * @param operation name of the call, for messages
     * @param reason thrown on this PE
     */
    public static void leave(StoreHandle store, String operation, Throwable reason) {
        StoreState state = store.state;
        try (var _ = state.calls().begin(operation)) {
            Meeting meeting = state.meet();
            state.calls().endPending();
            meeting.settle(state.channel(), operation, () -> {
                throw Settlement.<RuntimeException>sneakyThrow(reason);
            });
        }
    }

    /**
     * Closes an arena whose memory was the destination of a read or the source of a submit. After a failure this is
     * delayed until the next recovery, since MPI may still use the memory. Local.
     */
    public static void release(StoreHandle store, Arena arena) {
        store.state.channel().release(arena::close);
    }

    /**
     * Moves stores to the survivors, all of them or none, with one agreement. Collective.
     *
     * @param meeting of the caller, with the survivors
     * @param last last step of this PE's part; gets the failed ranks that each store will have; its flags are compared
     */
    public static <T> Outcome<T> recover(List<? extends StoreHandle> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        return StoreRecovery.recoverTogether(stores.stream().map(store -> store.state).toList(), meeting, survivors,
                last);
    }
}

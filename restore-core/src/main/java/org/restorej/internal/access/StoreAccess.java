package org.restorej.internal.access;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.operation.StoreRecovery;
import org.restorej.internal.operation.StoreState;
import org.restorej.placement.FailedRanks;

/**
 * What loops, rows and objects do with a store, and applications can't. The types of the store aren't known here, since
 * they are above: their class says, when it is initialized, how to get from one of them to what is behind it.
 */
public abstract class StoreAccess {
    private static @Nullable StoreAccess given;

    /** For the class of the store. */
    protected StoreAccess() {}

    /** Called by the class of the store, before anybody can have a store or the builder of one. */
    public static void give(StoreAccess access) {
        given = access;
    }

    private static StoreAccess given() {
        return Objects.requireNonNull(given, "there is no store yet");
    }

    private static StoreState stateOf(Object store) {
        return given().stateBehind(store);
    }

    /**
     * Notes that the others come to a collective call of the store now, and that this thread is about to begin its
     * part. What is thrown before that is told them by {@link #leave}. Local, and needs no memory.
     */
    public static void expect(Object store) {
        StoreState state = stateOf(store);
        state.calls().expect(state.channel().communicator());
    }

    /** A loop keeps a store: calls that it {@linkplain #expect expects} come to its meeting. */
    public static void keep(Object store, Meeting meeting) {
        stateOf(store).calls().keptBy(meeting);
    }

    /**
     * Throws what keeps this PE from a collective call at which the others are. The others get an exception from their
     * call, and keep what they have.
     *
     * @param operation name of the call, for messages
     * @param reason is thrown on this PE
     */
    public static void leave(Object store, String operation, Throwable reason) {
        StoreState state = stateOf(store);
        try (var _ = state.calls().begin(operation)) {
            Meeting meeting = state.meet();
            state.calls().endPending();
            meeting.settle(state.channel(), operation, () -> {
                throw Settlement.<RuntimeException>asItIs(reason);
            });
        }
    }

    /**
     * Closes an arena whose memory was the destination of a read or the source of a submit: after a failure not before
     * the next recovery, since messages may still be under way in it. Local.
     */
    public static void release(Object store, Arena arena) {
        stateOf(store).channel().release(arena::close);
    }

    /**
     * Has stores go on with the survivors, all of them or none, by one agreement. Collective.
     *
     * @param meeting of the caller, at the survivors
     * @param last ends this PE's part, by the failed ranks that each store will have; its flags are compared
     */
    public static <T> Outcome<T> recover(List<?> stores, Meeting meeting, Communicator survivors,
            Function<List<FailedRanks>, Outcome<T>> last) {
        return StoreRecovery.recoverTogether(stores.stream().map(StoreAccess::stateOf).toList(), meeting, survivors,
                last);
    }

    /** Has a builder throw on all PEs what is wrong on this one, which could otherwise leave the others waiting. */
    public static void refuse(Object builder, IllegalArgumentException wrong) {
        given().refuseAtBuild(builder, wrong);
    }

    /**
     * A submission that is refused on all PEs: for one that can't collect its blocks while the others are at the
     * submit. Needs no memory where that is what is missing.
     *
     * @param type of submissions
     * @param met what has kept this PE from it, for the message
     */
    public static <S> S refused(Class<S> type, Throwable met) {
        return type.cast(given().refusedSubmission(met));
    }

    /**
     * Hands out the bytes of the blocks of a submission, in ascending order of ids. Calls the writers. Local.
     *
     * @param blockSizeBytes size of all blocks that were added without sizes
     * @throws org.restorej.block.InvalidSubmissionException when it can't be submitted
     */
    public static void read(Object submission, long blockSizeBytes, BlockSink sink) throws IOException {
        given().readSubmission(submission, blockSizeBytes, sink);
    }

    /** The state of a store. */
    protected abstract StoreState stateBehind(Object store);

    /** See {@link #refuse}. */
    protected abstract void refuseAtBuild(Object builder, IllegalArgumentException wrong);

    /** See {@link #refused}. */
    protected abstract Object refusedSubmission(Throwable met);

    /** See {@link #read}. */
    protected abstract void readSubmission(Object submission, long blockSizeBytes, BlockSink sink) throws IOException;
}

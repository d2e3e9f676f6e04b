package org.restorej.internal.message;

import java.util.function.Supplier;

/**
 * The tags above {@link #MAX_TAG}, which are reserved for operations on arrays; transports reject them in other calls.
 *
 * <p>
 * Consecutive operations of one kind use the same tag, without a round number that all PEs would have to keep equal. A
 * broadcast or gather receives a number of messages that both sides know from PEs that it names, and messages between
 * two PEs keep their order. An all-to-all receives from unknown PEs, so it starts with a reduction: no PE leaves that,
 * and sends, before all have entered it and so have finished the previous round.
 */
public final class ReservedTags {
    /** The largest tag of applications. */
    public static final int MAX_TAG = 32_759;

    /** Tag of broadcasts. */
    public static final int BROADCAST = MAX_TAG + 1;
    /** Tag of gathers. */
    public static final int GATHER = MAX_TAG + 2;
    /** Tag of an all-to-all. The next one is reserved, too, but never used, because there is one round at a time. */
    public static final int ALL_TO_ALL = MAX_TAG + 3;

    /** The largest tag that MPI guarantees. */
    private static final int LAST = 32_767;

    private static final ScopedValue<Boolean> ALLOWED = ScopedValue.newInstance();

    private ReservedTags() {}

    /** Runs an operation that may use reserved tags. */
    public static <T> T allowing(Supplier<T> operation) {
        return ScopedValue.where(ALLOWED, true).call(operation::get);
    }

    /** Whether the calling thread may use a reserved tag. */
    public static boolean allows(int tag) {
        return tag <= LAST && ALLOWED.isBound();
    }
}

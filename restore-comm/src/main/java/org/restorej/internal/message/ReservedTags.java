package org.restorej.internal.message;

import java.util.function.Supplier;

/**
 * The tags above {@link #MAX_TAG}, which the operations on arrays use: transports accept them from those
 * and from nobody else.
 *
 * <p>
 * Operations of one kind follow each other under the same tag, and need no count of rounds, which all PEs would have to
 * keep alike. A broadcast or gather receives from PEs that it names, a number of messages that both sides know, and
 * between two PEs messages keep their order. An all-to-all receives from whom it doesn't know, so it begins with a
 * reduction: nobody leaves that, and sends, before all have entered it and so have done with the round before.
 */
public final class ReservedTags {
    /** The greatest tag of applications. */
    public static final int MAX_TAG = 32_759;

    /** Of broadcasts. */
    public static final int BROADCAST = MAX_TAG + 1;
    /** Of gathers. */
    public static final int GATHER = MAX_TAG + 2;
    /** Of an all-to-all; also the next one, which is never used: there is one round at a time. */
    public static final int ALL_TO_ALL = MAX_TAG + 3;

    /** MPI guarantees no greater one. */
    private static final int LAST = 32_767;

    private static final ScopedValue<Boolean> ALLOWED = ScopedValue.newInstance();

    private ReservedTags() {}

    /** Runs an operation that may use them. */
    public static <T> T allowing(Supplier<T> operation) {
        return ScopedValue.where(ALLOWED, true).call(operation::get);
    }

    /** Whether the calling thread may use a tag that is greater than those of applications. */
    public static boolean allows(int tag) {
        return tag <= LAST && ALLOWED.isBound();
    }
}

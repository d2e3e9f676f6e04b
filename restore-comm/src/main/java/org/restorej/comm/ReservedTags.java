package org.restorej.comm;

import java.util.function.Supplier;

/**
 * The tags above {@link Communicator#MAX_TAG}, which the operations on arrays use: transports accept them from those
 * and from nobody else.
 *
 * <p>
 * Operations of one kind follow each other under the same tag, and need no count of rounds, which all PEs would have to
 * keep alike. A broadcast or gather receives from PEs that it names, a number of messages that both sides know, and
 * between two PEs messages keep their order. An all-to-all receives from whom it doesn't know, so it begins with a
 * reduction: nobody leaves that, and sends, before all have entered it and so have done with the round before.
 */
final class ReservedTags {
    static final int BROADCAST = Communicator.MAX_TAG + 1;
    static final int GATHER = Communicator.MAX_TAG + 2;
    /** And the next one, which is never used: there is one round at a time. */
    static final int ALL_TO_ALL = Communicator.MAX_TAG + 3;

    /** MPI guarantees no greater one. */
    private static final int LAST = 32_767;

    private static final ScopedValue<Boolean> ALLOWED = ScopedValue.newInstance();

    private ReservedTags() {}

    /** Runs an operation that may use them. */
    static <T> T allowing(Supplier<T> operation) {
        return ScopedValue.where(ALLOWED, true).call(operation::get);
    }

    /** Whether the calling thread may use a tag that is greater than those of applications. */
    static boolean allows(int tag) {
        return tag <= LAST && ALLOWED.isBound();
    }
}

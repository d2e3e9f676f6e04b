package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;

/**
 * One PE's part of what a loop has all PEs compute together.
 *
 * @param <T> what it comes to
 */
@FunctionalInterface
public interface LoopFunction<T extends @Nullable Object> {
    /**
     * Computes it; lets pass what the communicator throws, and what calls of MPI throw that it makes itself
     * ({@link Communicator#failureBehind}).
     *
     * @param communicator of those who are left
     * @throws Exception of any kind, thrown on its PE as it is, although the loop's methods declare none
     */
    T apply(Communicator communicator) throws Exception;
}

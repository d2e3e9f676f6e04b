package org.restorej.demo.run;

import org.restorej.comm.Communicator;

/**
 * What one PE does in a distributed program.
 *
 * @param <R> what it hands back, equal on all survivors
 */
public interface PeTask<R> {
    /** Does this PE's work; called once. Throws what the PE fails with. */
    R run();

    /** The communicator of those who are left, as far as this PE knows; valid during and after {@link #run}. */
    Communicator communicator();
}

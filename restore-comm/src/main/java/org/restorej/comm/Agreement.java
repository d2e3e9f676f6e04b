package org.restorej.comm;

/**
 * The outcome of {@link Communicator#agree}, the same on every PE that gets one.
 *
 * @param flags bitwise and of the flags of all PEs that took part
 * @param processFailed whether a process of the communicator had failed by then
 */
public record Agreement(int flags, boolean processFailed) {}

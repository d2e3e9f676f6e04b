package org.restorej.internal.mpi;

/**
 * A message that can be received.
 *
 * @param source rank of the sender
 * @param bytes its length
 */
public record MpiMessage(int source, int tag, int bytes) {}

/**
 * Runs plans: brings the bytes of pieces from PE to PE.
 *
 * <p>
 * {@link org.restorej.internal.transfer.Transfer} is what operations begin. What only one side knows, that announces by
 * {@link org.restorej.comm.collective.SparseAllToAll}. {@link org.restorej.internal.transfer.Channel} has the communicator and the
 * buffers, and moves the bytes. Calls {@code comm}, {@code plan}, {@code storage} and {@code placement};
 * {@code operation} calls it.
 *
 * <p>
 * To change messages of the store, start at {@code TransferLimits}, which has sizes and how many are under way;
 * {@code Channel} sends. To change packing, start at {@code PackedSender} and {@code PackedReceiver}; long runs are
 * moved by {@code DirectStream}.
 */
@NullMarked
package org.restorej.internal.transfer;

import org.jspecify.annotations.NullMarked;

/**
 * Runs plans: brings the bytes of pieces from PE to PE.
 *
 * <p>
 * {@link org.restorej.internal.transfer.PullTransfer}, {@link org.restorej.internal.transfer.SubmitTransfer} and
 * {@link org.restorej.internal.transfer.PlannedTransfers} are what operations begin. What only one side knows, that
 * announces by {@link org.restorej.comm.SparseAllToAll}; {@link org.restorej.internal.transfer.Transfers} moves the
 * bytes. {@link org.restorej.internal.transfer.Channel} has the communicator and the buffers. Calls {@code comm},
 * {@code plan}, {@code storage} and {@code placement}; {@code operation} calls it, and benchmarks do.
 */
@NullMarked
package org.restorej.internal.transfer;

import org.jspecify.annotations.NullMarked;

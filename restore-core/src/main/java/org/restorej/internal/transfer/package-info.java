/**
 * Runs plans: one engine that announces pieces and brings their bytes from PE to PE.
 *
 * <p>
 * {@link org.restorej.internal.transfer.TransferEngine} is what operations call. It announces what only one side knows
 * by {@link org.restorej.comm.SparseAllToAll}, and moves the bytes by
 * {@link org.restorej.internal.transfer.Transfers}. {@link org.restorej.internal.transfer.Channel} has the communicator
 * and the buffers. Calls {@code comm}, {@code plan}, {@code storage} and {@code placement}; {@code operation} calls it,
 * and benchmarks do.
 */
@NullMarked
package org.restorej.internal.transfer;

import org.jspecify.annotations.NullMarked;

/**
 * Executes plans: moves the bytes of pieces between PEs.
 *
 * <p>
 * Operations start a {@link org.restorej.internal.transfer.Transfer}. If only one side knows a plan, it announces it by
 * {@link org.restorej.comm.collective.SparseAllToAll}. {@link org.restorej.internal.transfer.Channel} has the
 * communicator and the buffers, and moves the bytes. Uses {@code comm}, {@code plan}, {@code storage} and
 * {@code placement}; called by {@code operation}.
 *
 * <p>
 * To change messages of the store, start at {@code TransferLimits}, which has sizes and numbers of pending messages;
 * {@code Channel} sends. To change packing, start at {@code PackedSender} and {@code PackedReceiver}; long runs are
 * moved by {@code DirectStream}.
 */
@NullMarked
package org.restorej.internal.transfer;

import org.jspecify.annotations.NullMarked;

/**
 * Who sends which bytes to whom, and the protocols that do it.
 *
 * <p>
 * Plans ({@link org.restorej.internal.plan.PieceTable}, {@link org.restorej.internal.plan.PieceCursor}) are
 * pure and computed first; {@link org.restorej.internal.transfer.SparseAllToAll} and
 * {@link org.restorej.internal.transfer.Transfers} move the bytes;
 * {@link org.restorej.internal.transfer.SubmitExchange} and {@link org.restorej.internal.transfer.PullExchange} put
 * them together. Calls {@code comm}, {@code placement} and {@code storage}; only the store calls it.
 */
@NullMarked
package org.restorej.internal.transfer;

import org.jspecify.annotations.NullMarked;

/**
 * Who sends which bytes to whom, and the protocols that do it.
 *
 * <p>
 * Plans ({@link org.restorej.exchange.PieceTable}, {@link org.restorej.exchange.PieceSplitter}) are pure and computed
 * first; {@link org.restorej.exchange.SparseAllToAll} and {@link org.restorej.exchange.Transfers} move the bytes;
 * {@link org.restorej.exchange.SubmitExchange} and {@link org.restorej.exchange.PullExchange} put them together. Calls
 * {@code comm}, {@code placement} and {@code storage}; only the store calls it.
 */
@NullMarked
package org.restorej.exchange;

import org.jspecify.annotations.NullMarked;

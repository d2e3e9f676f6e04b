/**
 * What the processes of redundancy sets do together over a communicator: encode, recover, remove.
 *
 * <p>
 * {@code ReductionChain} and {@code PiecePlan} say who sends which piece to whom, are pure, and are computed first;
 * {@code PieceExchange} moves the bytes; the operations put steps together, each of which ends in an agreement of all
 * ranks ({@code RedsetChannel}). Each process reads and writes its own files only. Calls {@code coding}, {@code sets}
 * and everything below them, and the communicators and settlements of restore-core; only the user API calls it.
 */
@NullMarked
package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.NullMarked;

/**
 * What the processes of a communicator do together: protect files, recover them, remove the protection.
 *
 * <p>
 * {@link org.restorej.redset.internal.protocol.ReductionChains} and
 * {@link org.restorej.redset.internal.protocol.PiecePlan} are pure: they say who sends which piece to whom.
 * {@link org.restorej.redset.internal.protocol.PieceExchange} moves the bytes. The three operations put steps together;
 * each step ends in an agreement of all ranks ({@link org.restorej.redset.internal.protocol.RedsetChannel}). Each
 * process reads and writes its own files only.
 *
 * <p>
 * Only {@code org.restorej.redset} calls it. It calls {@code sets}, {@code coding}, what these call, and the
 * communicators of restore-core.
 */
@NullMarked
package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.NullMarked;

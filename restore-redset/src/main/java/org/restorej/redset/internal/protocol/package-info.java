/**
 * The collective operations of redset: protect files, recover them, remove the protection.
 *
 * <p>
 * The three operations consist of steps; each step ends with an agreement of all ranks
 * ({@link org.restorej.redset.internal.protocol.RedsetChannel}). {@code coding} moves and computes the bytes of files.
 * A process protects its own files. It recovers those of the ranks that it acts for: its own, or, with another number
 * of processes, those whose files it finds. One process that finds all files acts for all ranks, without a
 * communicator.
 *
 * <p>
 * Messages are trees of {@code format}. A recovery uses files as
 * {@link org.restorej.redset.internal.protocol.ProtectedFiles}: those of redset, or of SCR itself, which are in
 * {@code scr}. Calls {@code sets}, {@code coding}, the packages below them, and the communicators of restore-core;
 * {@code org.restorej.redset}, {@code offline} and {@code scr} call this package.
 *
 * <p>
 * To change who rebuilds lost files in a job, start at {@code MemberOwners}; how, at {@code SetRecovery}; which of
 * several encodings ranks take, at {@code redset.internal.sets.SetSurvey}: the one that the fewest members lack.
 */
@NullMarked
package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.NullMarked;

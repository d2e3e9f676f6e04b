/**
 * What the processes of a communicator do together: protect files, recover them, remove the protection.
 *
 * <p>
 * The three operations put steps together; each step ends in an agreement of all ranks ({@link
 * org.restorej.redset.internal.protocol.RedsetChannel}). What moves and computes the bytes of files is in {@code coding}.
 * A process protects its own files. It recovers those of the ranks that it acts for: its own, or, with another number of
 * processes, those whose files it sees; one process that sees all acts for all, without a communicator.
 *
 * <p>
 * Messages are trees of {@code format}. A recovery sees files as
 * {@link org.restorej.redset.internal.protocol.ProtectedFiles}: those of redset, or of SCR itself, which {@code scr} has.
 *
 * <p>
 * {@code org.restorej.redset}, {@code offline} and {@code scr} call it. It calls {@code sets}, {@code coding}, what these
 * call, and the communicators of restore-core.
 *
 * <p>
 * To change who rebuilds lost files in a job, start at {@code MemberOwners}; how, at {@code SetRecovery}; which of several
 * encodings ranks take, at {@code redset.internal.sets.SetSurvey}: the one that the fewest members lack.
 */
@NullMarked
package org.restorej.redset.internal.protocol;

import org.jspecify.annotations.NullMarked;

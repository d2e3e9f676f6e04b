/**
 * Programs that survivors restart when a failure escapes from them.
 *
 * <p>
 * Calls {@code org.restorej.comm}. Called by the transports, each of which says how one of its PEs gives up an
 * attempt.
 *
 * <p>
 * To change when a program is restarted, start at {@code ProgramRun}, and the {@code Attempt} of each transport.
 */
@NullMarked
package org.restorej.internal.program;

import org.jspecify.annotations.NullMarked;

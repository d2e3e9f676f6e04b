/**
 * Programs that survivors restart after failures that the programs don't handle.
 *
 * <p>
 * Uses {@code org.restorej.comm}. Called by the transports, each of which implements {@code Attempt}.
 *
 * <p>
 * To change when a program is restarted, start at {@code ProgramRun}, and the {@code Attempt} of each transport.
 */
@NullMarked
package org.restorej.internal.program;

import org.jspecify.annotations.NullMarked;

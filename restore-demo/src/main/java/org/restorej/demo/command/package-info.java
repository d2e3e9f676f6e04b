/**
 * What the commands of all demos have: options, how a run is started on its transport, and how recoveries are shown.
 *
 * <p>
 * Calls the transports and {@code run}. Called by the commands, each of which adds what its program alone has.
 */
@NullMarked
package org.restorej.demo.command;

import org.jspecify.annotations.NullMarked;

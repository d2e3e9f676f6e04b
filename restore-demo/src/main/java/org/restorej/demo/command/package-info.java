/**
 * What a demo's command has besides its own: options, how a run is started where its PEs are, and how recoveries are shown.
 *
 * <p>
 * Calls {@code picture}, {@code transport} and {@code run}. Called by {@code phylo}, which adds what its
 * program alone has.
 */
@NullMarked
package org.restorej.demo.command;

import org.jspecify.annotations.NullMarked;

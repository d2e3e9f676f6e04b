/**
 * The commands {@code plan} and {@code simulate}: what a replication level costs in memory, and which failures it
 * survives.
 *
 * <p>
 * Calls {@code org.restorej.risk}, which has the arithmetic, and the parts of {@code command} that write text and JSON.
 * Called by the command line only.
 */
@NullMarked
package org.restorej.cli.plan;

import org.jspecify.annotations.NullMarked;


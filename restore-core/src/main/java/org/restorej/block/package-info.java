/**
 * Block ids and runs of them, how blocks are written, and what is thrown when they are lost or can't be submitted: what every
 * other package speaks in.
 *
 * <p>
 * Calls the sets of ranks of {@code placement}.
 */
@NullMarked
package org.restorej.block;

import org.jspecify.annotations.NullMarked;

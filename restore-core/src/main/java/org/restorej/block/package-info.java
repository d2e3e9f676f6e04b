/**
 * Block ids and runs of them: plain values that every other package speaks in.
 *
 * <p>
 * Calls nothing else of this project.
 */
@NullMarked
package org.restorej.block;

import org.jspecify.annotations.NullMarked;

/**
 * The replicated store: what an application needs to keep its data alive when processes die.
 *
 * <p>
 * Its classes check and convert what users hand in, and leave the rest to {@code org.restorej.internal.operation}, which calls
 * nothing of this package. Loops, rows and objects are above it.
 */
@NullMarked
package org.restorej;

import org.jspecify.annotations.NullMarked;

/**
 * The replicated store: what an application needs to keep its data alive when processes die.
 *
 * <p>
 * Its classes check and convert what users hand in, and leave the rest to {@code org.restorej.internal.operation}. That
 * knows the value types, callbacks and exceptions of this package, and calls no store. May call every package of this
 * module and of {@code org.restorej.comm}.
 */
@NullMarked
package org.restorej;

import org.jspecify.annotations.NullMarked;

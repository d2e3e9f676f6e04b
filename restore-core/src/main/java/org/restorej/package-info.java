/**
 * The replicated store: what an application needs to keep its data alive when processes die.
 *
 * <p>
 * May call every other package of this module; none of them calls this one.
 */
@NullMarked
package org.restorej;

import org.jspecify.annotations.NullMarked;

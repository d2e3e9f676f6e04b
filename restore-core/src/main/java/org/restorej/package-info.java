/**
 * The replicated store: what an application needs so that its data survive failures of ranks. Start at
 * {@link org.restorej.ReStore}.
 *
 * <p>
 * These classes check and convert arguments and leave the rest to {@code org.restorej.internal.operation}, which calls
 * nothing of this package. Loops, rows and objects call this package.
 *
 * <p>
 * To change what a call of the store accepts, or an option, start at {@code ReStore} and {@code ReStoreBuilder}; what an
 * application may supply for lost blocks, at {@code ReStoreBuilder.Fallback}.
 */
@NullMarked
package org.restorej;

import org.jspecify.annotations.NullMarked;

/**
 * The off-heap memory of one PE: replicas, found by their positions, and the pool that all memory of a store comes from.
 *
 * <p>
 * Calls {@code placement} and {@code memory}; knows nothing of communication. {@code transfer} reads and fills it, the
 * store owns it.
 */
@NullMarked
package org.restorej.internal.storage;

import org.jspecify.annotations.NullMarked;

/**
 * The off-heap memory of one PE: replicas, found by their positions, and the pool that all memory of a store comes
 * from.
 *
 * <p>
 * Calls {@code placement} and {@code internal.memory}; knows nothing of communication. {@code plan} finds its way in
 * it, {@code transfer} reads and fills it, {@code operation} owns it.
 */
@NullMarked
package org.restorej.internal.storage;

import org.jspecify.annotations.NullMarked;

/**
 * What the PEs of a store do together: each operation is a {@link CollectiveOperation}, and {@link StoreState} is what
 * they change.
 *
 * <p>
 * Gets plain values from {@link org.restorej.ReStore}, and returns plain values. May use every package below; calls no store, and nothing but {@code org.restorej}
 * calls it.
 */
@NullMarked
package org.restorej.internal.operation;

import org.jspecify.annotations.NullMarked;

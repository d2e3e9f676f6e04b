/**
 * Allocates and counts all off-heap memory of the libraries. Uses {@code internal.foreign}; called by every package
 * that needs off-heap memory.
 *
 * <p>
 * To change how memory is counted, start at {@code NativeMemory}; the reserve by which a PE can report a full heap to
 * other PEs, at {@code HeapReserve}.
 */
@NullMarked
package org.restorej.internal.memory;

import org.jspecify.annotations.NullMarked;

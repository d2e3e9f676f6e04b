/**
 * Where all off-heap memory of the libraries comes from and is counted. Calls {@code internal.foreign}; every package
 * that needs off-heap memory calls it.
 *
 * <p>
 * To change how memory is counted, start at {@code NativeMemory}; what is kept so that a full heap can be reported to
 * other PEs, at {@code HeapReserve}.
 */
@NullMarked
package org.restorej.internal.memory;

import org.jspecify.annotations.NullMarked;

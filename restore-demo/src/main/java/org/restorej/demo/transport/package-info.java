/**
 * Where the PEs of a demo are: threads of this JVM, or ranks under mpirun, which this starts.
 *
 * <p>
 * Calls the communicators of the store. Knows no demo; every demo may call it.
 */
@NullMarked
package org.restorej.demo.transport;

import org.jspecify.annotations.NullMarked;
